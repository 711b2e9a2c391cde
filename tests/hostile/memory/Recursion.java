/*
 * Calls itself without end.
 *
 * Verdict: crash
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class Recursion extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        return attack(state);
    }
}
