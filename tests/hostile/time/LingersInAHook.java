/*
 * Leaves a hook that would compute for ever when the machine ends.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class LingersInAHook extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        Runtime.getRuntime().addShutdownHook(new Thread(Hostile::forever));
        return null;
    }
}
