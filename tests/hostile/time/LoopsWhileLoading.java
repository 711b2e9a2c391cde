/*
 * Computes for ever as its class is initialised.
 *
 * Verdict: timeout
 * Limits: start_seconds=0.1
 * Armed: always
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class LoopsWhileLoading extends Hostile {
    static {
        forever();
    }
}
