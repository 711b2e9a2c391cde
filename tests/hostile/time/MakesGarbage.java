/*
 * Leaves so much garbage that the machine works more than its own thread.
 *
 * Verdict: timeout
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class MakesGarbage extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        Object[] kept = new Object[1 << 20];
        for (int i = 0; ; i++) {
            kept[i % kept.length] = new int[20];
        }
    }
}
