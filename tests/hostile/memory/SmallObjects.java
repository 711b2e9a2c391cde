/*
 * Fills its heap with small objects.
 *
 * Limits: turn_seconds=10.0 turn_wall_seconds=20.0
 * Verdict: memory
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class SmallObjects extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        Object[] chain = null;
        while (true) {
            chain = new Object[] {chain};
        }
    }
}
