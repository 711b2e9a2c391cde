/*
 * Asks for an array of arrays of arrays.
 *
 * Verdict: memory
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class HugeDimensions extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        return new int[2000][2000][2000].length == 0 ? null : null;
    }
}
