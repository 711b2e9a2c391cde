/*
 * Leaves notes with its thread by way of what threads are parked with: a blocker, and a permit.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.util.concurrent.locks.LockSupport;

public class ParkedNotes extends Hostile {
    private static final long NANOSECONDS = 20_000_000;

    @Override
    protected Action look(State state) throws Throwable {
        if (LockSupport.getBlocker(Thread.currentThread()) != null) {
            escaped("a note of an earlier game");
        }
        long start = System.nanoTime();
        LockSupport.parkNanos(NANOSECONDS);
        if (System.nanoTime() - start < NANOSECONDS / 2) {
            escaped("a permit of an earlier game");
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        LockSupport.setCurrentBlocker("a note");
        LockSupport.unpark(Thread.currentThread());
        return null;
    }
}
