/*
 * Computes for ever.
 *
 * Verdict: timeout
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class BusyLoop extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        forever();
        return null;
    }
}
