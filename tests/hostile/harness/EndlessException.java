/*
 * Throws what takes for ever to print.
 *
 * Verdict: timeout
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class EndlessException extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        throw new RuntimeException() {
            @Override
            public String toString() {
                forever();
                return "";
            }
        };
    }
}
