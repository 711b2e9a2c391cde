/*
 * Computes for ever in its constructor.
 *
 * Verdict: timeout
 * Limits: start_seconds=0.1
 * Armed: always
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class LoopsInItsConstructor extends Hostile {
    public LoopsInItsConstructor() {
        forever();
    }
}
