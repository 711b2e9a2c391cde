package firebox.boot;

/**
 * Blocks the thread that runs finalizers for good: the clock would not charge an agent for what it
 * computes there, in its own finalizers or in methods that a library class calls from its own.
 *
 * <p>The thread waits for a lock that the game's thread holds. No other code has a reference to the
 * lock, and a thread that waits for one cannot be interrupted or stopped.
 */
final class FinalizerThread {
    private static final int MAX_MILLISECONDS = 10_000;
    private static final int MILLISECONDS_BETWEEN_COLLECTIONS = 500;

    private static volatile boolean arrived;

    private final Object lock;

    private FinalizerThread(Object lock) {
        this.lock = lock;
    }

    /** Blocks the thread. The caller holds {@code lock} and never releases it. */
    static void block(Object lock) throws InterruptedException {
        createGarbage(lock);
        for (int i = 0; !arrived; i++) {
            if (i == MAX_MILLISECONDS) {
                throw new IllegalStateException("the finalizers' thread cannot be blocked");
            }
            if (i % MILLISECONDS_BETWEEN_COLLECTIONS == 0) {
                System.gc();
            }
            Thread.sleep(1);
        }
    }

    private static void createGarbage(Object lock) {
        new FinalizerThread(lock);
    }

    @Override
    @SuppressWarnings({"deprecation", "removal"})
    protected void finalize() {
        arrived = true;
        synchronized (lock) {
            throw new IllegalStateException("this lock is never released");
        }
    }
}
