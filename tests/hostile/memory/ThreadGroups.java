/*
 * Starts a daemon of another group, with a stack of its own size.
 *
 * Verdict: forbidden
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class ThreadGroups extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        Thread thread = new Thread(new ThreadGroup("own"), Hostile::forever, "own", 1 << 16);
        thread.setDaemon(true);
        thread.start();
        return null;
    }
}
