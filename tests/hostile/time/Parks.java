/*
 * Parks itself.
 *
 * Verdict: idle
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.util.concurrent.locks.LockSupport;

public class Parks extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        while (true) {
            LockSupport.park();
        }
    }
}
