/*
 * Exits as its class is initialised.
 *
 * Verdict: crash
 * Armed: always
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class ExitsWhileLoading extends Hostile {
    static {
        System.exit(0);
    }
}
