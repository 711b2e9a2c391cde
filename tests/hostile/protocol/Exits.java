/*
 * Exits as if all were well.
 *
 * Verdict: crash
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class Exits extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        System.exit(0);
        return null;
    }
}
