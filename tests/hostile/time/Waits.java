/*
 * Waits for a notification that nobody sends.
 *
 * Verdict: idle
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class Waits extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        synchronized (this) {
            wait();
        }
        return null;
    }
}
