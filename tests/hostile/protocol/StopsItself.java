/*
 * Stops the thread that it runs in.
 *
 * Verdict: crash
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class StopsItself extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        Thread.currentThread().stop();
        return null;
    }
}
