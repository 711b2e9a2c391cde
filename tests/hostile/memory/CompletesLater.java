/*
 * Completes a future in another thread.
 *
 * Verdict: forbidden
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.util.concurrent.CompletableFuture;

public class CompletesLater extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        CompletableFuture.runAsync(Hostile::forever);
        return null;
    }
}
