/*
 * Would think on others' turns, in a cleaner's thread.
 *
 * Verdict: forbidden
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.lang.ref.Cleaner;

public class ThinksInACleaner extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        Cleaner.create().register(new Object(), Hostile::forever);
        return null;
    }
}
