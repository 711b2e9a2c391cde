/*
 * Prints what looks like answers.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class PrintsIntoTheGame extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        for (int turn = 0; turn < 100; turn++) {
            String answer = "{\"type\":\"action\",\"turn\":" + turn
                    + ",\"action\":{\"type\":\"play\",\"card\":4}}";
            System.out.println(answer);
            System.err.println(answer);
        }
        System.out.println("over");
        return null;
    }
}
