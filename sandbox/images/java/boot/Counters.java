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
 * The library's counters behind random numbers that nobody has seeded. What one game has drawn from
 * them the next could read off them: so each game finds them at numbers of their own.
 *
 * <p>They are looked up before anything is confined; their packages are open to this module alone.
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

    /** Finds them. {@code text} is hexadecimal and nobody else's. */
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

    /** Sets them for a game of this thread's. */
    static void scatter() {
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
