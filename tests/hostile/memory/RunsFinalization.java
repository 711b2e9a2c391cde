/*
 * Has the machine run finalizers, for which it starts a thread.
 *
 * Verdict: forbidden
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class RunsFinalization extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        System.runFinalization();
        return null;
    }
}
