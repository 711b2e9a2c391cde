/*
 * Calls itself without end, catches what comes of it and plays on.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class CatchesStackOverflows extends Hostile {
    private static int deeper(int depth) {
        return deeper(depth + 1) + 1;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        for (int i = 0; i < 3; i++) {
            try {
                deeper(0);
            } catch (StackOverflowError error) {
                continue;
            }
        }
        return null;
    }
}
