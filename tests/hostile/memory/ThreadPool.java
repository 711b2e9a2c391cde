/*
 * Hands its thinking to a pool of threads.
 *
 * Verdict: forbidden
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.util.concurrent.Executors;

public class ThreadPool extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        Executors.newCachedThreadPool().submit(Hostile::forever);
        return null;
    }
}
