/*
 * Leaves notes with the thread that it runs in.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class NotesOfItsThread extends Hostile {
    @Override
    protected Action look(State state) throws Throwable {
        Thread thread = Thread.currentThread();
        if (thread.getName().equals("note") || thread.getPriority() == Thread.MIN_PRIORITY
                || thread.isInterrupted()
                || thread.getContextClassLoader() != getClass().getClassLoader()) {
            escaped("a note of an earlier game");
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        Thread thread = Thread.currentThread();
        thread.setName("note");
        thread.setPriority(Thread.MIN_PRIORITY);
        thread.setUncaughtExceptionHandler((a, b) -> { });
        thread.setContextClassLoader(new ClassLoader() { });
        thread.interrupt();
        return null;
    }
}
