/*
 * Leaves a heap full of what only its own classes hold.
 *
 * Verdict: contained
 * Limits: turn_seconds=2.0 turn_wall_seconds=4.0
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class FullHeap extends Hostile {
    private static byte[][] kept;

    @Override
    protected Action look(State state) throws Throwable {
        if (kept != null) {
            escaped("a note of an earlier game");
        }
        int size = new byte[180][1 << 20].length;
        if (size == 0) {
            return null;
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        kept = new byte[180][1 << 20];
        return null;
    }
}
