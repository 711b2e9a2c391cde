/*
 * Ends the machine.
 *
 * Verdict: crash
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class Halts extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        Runtime.getRuntime().halt(0);
        return null;
    }
}
