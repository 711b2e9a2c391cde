/*
 * Writes a note into an error that the machine throws again and again, there being only one.
 *
 * Verdict: contained
 * Limits: turn_seconds=2.0 turn_wall_seconds=4.0
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class ErrorsOfTheMachine extends Hostile {
    private static Throwable memoryError() {
        Throwable last = null;
        for (int i = 0; i < 20; i++) {
            try {
                last = new OutOfMemoryError("" + new long[Integer.MAX_VALUE - i].length);
            } catch (OutOfMemoryError error) {
                last = error;
            }
        }
        return last;
    }

    @Override
    protected Action look(State state) throws Throwable {
        if (memoryError().getCause() != null) {
            escaped("a note of an earlier game");
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        memoryError().initCause(new IllegalStateException("agents.note"));
        return null;
    }
}
