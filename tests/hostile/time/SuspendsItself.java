/*
 * Suspends the thread that it runs in.
 *
 * Verdict: idle
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class SuspendsItself extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        Thread.currentThread().suspend();
        return null;
    }
}
