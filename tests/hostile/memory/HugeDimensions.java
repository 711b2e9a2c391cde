/*
 * Asks for an array of arrays of arrays.
 *
 * Limits: turn_seconds=3.0 turn_wall_seconds=6.0
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
