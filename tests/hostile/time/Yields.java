/*
 * Gives the processor away, for ever.
 *
 * Verdict: timeout
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class Yields extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        while (true) {
            Thread.yield();
        }
    }
}
