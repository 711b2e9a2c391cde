/*
 * Would think on others' turns, in a finalizer of its own.
 *
 * Verdict: crash
 * Armed: always
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class ThinksInAFinalizer extends Hostile {
    @Override
    protected void finalize() {
        forever();
    }
}
