/*
 * Hands its thinking to the pool that all programs have.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.util.concurrent.ForkJoinPool;

public class CommonPool extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        ForkJoinPool.commonPool().submit(Hostile::forever);
        return null;
    }
}
