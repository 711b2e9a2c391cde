/*
 * Has the machine, which does it in a thread of its own, collect garbage.
 *
 * Verdict: timeout
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class CollectsGarbage extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        while (true) {
            System.gc();
        }
    }
}
