/*
 * Throws something strange as its class is initialised.
 *
 * Verdict: crash
 * Armed: always
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class CannotBeInitialised extends Hostile {
    static {
        if (true) {
            throw new ThreadDeath();
        }
    }
}
