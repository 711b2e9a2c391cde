/*
 * Sleeps.
 *
 * Verdict: idle
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class Sleeps extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        Thread.sleep(1_000_000);
        return null;
    }
}
