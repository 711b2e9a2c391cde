/*
 * Offers something to another thread, of which there is none.
 *
 * Verdict: idle
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.util.concurrent.SynchronousQueue;

public class WaitsForAPartner extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        new SynchronousQueue<State>().put(state);
        return null;
    }
}
