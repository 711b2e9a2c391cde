/*
 * Doubles a string until there is no room.
 *
 * Limits: turn_seconds=3.0 turn_wall_seconds=6.0
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
