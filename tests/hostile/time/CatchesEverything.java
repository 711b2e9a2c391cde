/*
 * Goes on whatever is thrown at it.
 *
 * Verdict: timeout
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class CatchesEverything extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        while (true) {
            try {
                forever();
            } catch (Throwable error) {
                continue;
            } finally {
                forever();
            }
        }
    }
}
