package firebox.boot;

/**
 * Holds up the thread that runs finalizers, for good: what an agent computes in one, directly or
 * through a method that some class of the library calls in its own, nobody would charge it for.
 *
 * <p>The thread waits for a lock that the game's thread holds. Nobody else knows the lock, and a
 * thread that waits for one cannot be interrupted or stopped.
 */
final class Gate {
    private static final int MOST_MILLISECONDS = 10_000;
    private static final int COLLECT_EVERY = 500;

    private static volatile boolean arrived;

    private final Object lock;

    private Gate(Object lock) {
        this.lock = lock;
    }

    /** Sends the thread there; the caller holds {@code lock}, and never gives it back. */
    static void close(Object lock) throws InterruptedException {
        leaveBehind(lock);
        for (int i = 0; !arrived; i++) {
            if (i == MOST_MILLISECONDS) {
                throw new IllegalStateException("the finalizers' thread cannot be held up");
            }
            if (i % COLLECT_EVERY == 0) {
                System.gc();
            }
            Thread.sleep(1);
        }
    }

    private static void leaveBehind(Object lock) {
        new Gate(lock);
    }

    @Override
    @SuppressWarnings({"deprecation", "removal"})
    protected void finalize() {
        arrived = true;
        synchronized (lock) {
            throw new IllegalStateException("nobody gives this lock back");
        }
    }
}
