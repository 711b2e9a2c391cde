/*
 * Has a timer think later.
 *
 * Verdict: forbidden
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.util.Timer;
import java.util.TimerTask;

public class UsesATimer extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        new Timer(true).schedule(new TimerTask() {
            @Override
            public void run() {
                forever();
            }
        }, 0);
        return null;
    }
}
