/*
 * Leaves a note in how far the thread's random numbers have come.
 *
 * Verdict: contained
 * Limits: turn_seconds=5.0 turn_wall_seconds=10.0
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.util.concurrent.ThreadLocalRandom;

public class CountOfChance extends Hostile {
    private static final int BITS = 20;
    private static final int NOTE = 0xbeef5;

    /** The last number before it was mixed: it grows by as much with each. */
    private static long count() {
        long z = ThreadLocalRandom.current().nextLong();
        z = (z ^ (z >>> 33)) * inverse(0xc4ceb9fe1a85ec53L);
        z = (z ^ (z >>> 33)) * inverse(0xff51afd7ed558ccdL);
        return z ^ (z >>> 33);
    }

    private static long inverse(long odd) {
        long found = odd;
        for (int i = 0; i < 6; i++) {
            found *= 2 - odd * found;
        }
        return found;
    }

    private static int low(long number) {
        return (int) (number & ((1 << BITS) - 1));
    }

    @Override
    protected Action look(State state) throws Throwable {
        long first = count();
        if (low(first + first - count()) == NOTE) {
            escaped("a note of twenty bits, of an earlier game");
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        while (low(count()) != NOTE) {
            continue;
        }
        return null;
    }
}
