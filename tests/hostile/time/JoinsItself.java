/*
 * Waits until it has ended itself.
 *
 * Verdict: idle
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class JoinsItself extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        Thread.currentThread().join();
        return null;
    }
}
