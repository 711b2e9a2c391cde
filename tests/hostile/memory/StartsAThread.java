/*
 * Starts a thread.
 *
 * Verdict: forbidden
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class StartsAThread extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        new Thread(Hostile::forever).start();
        return null;
    }
}
