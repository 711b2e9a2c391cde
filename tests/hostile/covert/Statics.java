/*
 * Leaves a note in a static of its own.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class Statics extends Hostile {
    private static String note;

    @Override
    protected Action look(State state) throws Throwable {
        if (note != null) {
            escaped("a note of an earlier game");
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        note = "x";
        return null;
    }
}
