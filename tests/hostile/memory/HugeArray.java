/*
 * Asks for two gigabytes at once.
 *
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
