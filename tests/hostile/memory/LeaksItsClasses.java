/*
 * Holds on to a heap full of its own, from a place that its thread keeps.
 *
 * Verdict: contained
 * Limits: turn_seconds=2.0 turn_wall_seconds=4.0
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class LeaksItsClasses extends Hostile {
    private static final ThreadLocal<byte[][]> HELD = new ThreadLocal<>();

    @Override
    protected Action look(State state) {
        return new byte[150][1 << 20].length == 0 ? honest(state) : null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        HELD.set(new byte[100][1 << 20]);
        return null;
    }
}
