/*
 * Throws what cannot be printed.
 *
 * Verdict: crash
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class PoisonousException extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        throw new RuntimeException() {
            @Override
            public String toString() {
                return "" + this;
            }

            @Override
            public String getMessage() {
                return toString();
            }
        };
    }
}
