/*
 * Brings classes of its own in place of the interface's, which would tell it its hand.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class ShipsTheInterface extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        if (state.getClass().getDeclaredFields().length == 1) {
            escaped("plays with its own classes");
        }
        return null;
    }
}
