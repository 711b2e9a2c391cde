/*
 * Doubles a string until there is no room.
 *
 * Verdict: memory
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class DoublesAString extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        String text = "x";
        while (true) {
            text += text;
        }
    }
}
