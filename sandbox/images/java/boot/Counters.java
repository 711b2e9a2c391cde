package firebox.boot;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The library's counters behind random numbers without a seed. A game could read from them what the
 * game before it had drawn, so they are reset before each game.
 *
 * <p>They are looked up before the process is confined. Only this module can access their packages.
 */
final class Counters {
    private static final List<AtomicLong> longs = new ArrayList<>();
    private static Random ofMath;
    private static AtomicInteger probes;
    private static Field shuffling;
    private static Field seed;
    private static Field probe;
    private static Field secondary;
    private static SplittableRandom source;

    private Counters() {}

    /** Looks the counters up. {@code text} is hexadecimal and secret. */
    static void find(String text) throws ReflectiveOperationException {
        source = new SplittableRandom(text.hashCode() * 0x9E3779B97F4A7C15L);
        ThreadLocalRandom.current().nextInt();
        Math.random();
        longs.add((AtomicLong) open(Random.class, "seedUniquifier").get(null));
        longs.add((AtomicLong) open(SplittableRandom.class, "defaultGen").get(null));
        longs.add((AtomicLong) open(ThreadLocalRandom.class, "seeder").get(null));
        probes = (AtomicInteger) open(ThreadLocalRandom.class, "probeGenerator").get(null);
        Class<?> holder = Class.forName("java.lang.Math$RandomNumberGeneratorHolder");
        ofMath = (Random) open(holder, "randomNumberGenerator").get(null);
        shuffling = open(Collections.class, "r");
        seed = open(Thread.class, "threadLocalRandomSeed");
        probe = open(Thread.class, "threadLocalRandomProbe");
        secondary = open(Thread.class, "threadLocalRandomSecondarySeed");
    }

    private static Field open(Class<?> owner, String name) throws NoSuchFieldException {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    /** Resets the counters for a game in this thread. */
    static void reseed() {
        for (AtomicLong counter : longs) {
            counter.set(source.nextLong());
        }
        probes.set(source.nextInt());
        ofMath.setSeed(source.nextLong());
        try {
            shuffling.set(null, null);
            Thread here = Thread.currentThread();
            seed.setLong(here, source.nextLong());
            probe.setInt(here, source.nextInt() | 1);
            secondary.setInt(here, source.nextInt() | 1);
        } catch (IllegalAccessException error) {
            throw new IllegalStateException(error);
        }
    }
}
