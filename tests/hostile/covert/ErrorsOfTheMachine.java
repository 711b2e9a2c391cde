/*
 * Writes a note into an error that the machine throws again and again, there being only one.
 *
 * Limits: turn_seconds=5.0 turn_wall_seconds=10.0
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class ErrorsOfTheMachine extends Hostile {
    private static Throwable memoryError() {
        Throwable last = null;
        for (int i = 0; i < 6; i++) {
            try {
                last = new Error("" + new long[Integer.MAX_VALUE - i].length);
            } catch (OutOfMemoryError error) {
                last = error;
            }
        }
        return last;
    }

    @Override
    protected Action look(State state) {
        Throwable error = memoryError();
        if (error.getCause() != null || error.getSuppressed().length > 0) {
            escaped("a note of an earlier game");
        }
        for (StackTraceElement element : error.getStackTrace()) {
            if (element.getMethodName().equals("note")) {
                escaped("a note of an earlier game");
            }
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        Throwable error = memoryError();
        try {
            error.initCause(new IllegalStateException("agents.note"));
        } catch (IllegalStateException fixed) {
            error.addSuppressed(new IllegalStateException("agents.note"));
        }
        error.setStackTrace(new StackTraceElement[] {new StackTraceElement("agents", "note", "", 1)});
        return null;
    }
}
