/*
 * Asks for two gigabytes at once.
 *
 * Limits: turn_seconds=3.0 turn_wall_seconds=6.0
 * Verdict: memory
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class HugeArray extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        return state.getHand(0)[new long[1 << 28].length] == null ? null : null;
    }
}
