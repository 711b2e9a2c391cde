/*
 * Prints without end.
 *
 * Verdict: timeout
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class PrintsForEver extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        while (true) {
            System.out.println("and on");
        }
    }
}
