/*
 * Exits in order to go on in a hook.
 *
 * Verdict: forbidden
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class ExitsIntoAHook extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        Runtime.getRuntime().addShutdownHook(new Thread(Hostile::forever));
        System.exit(0);
        return null;
    }
}
