/*
 * Leaves a note in the machine's properties.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class Properties extends Hostile {
    @Override
    protected Action look(State state) throws Throwable {
        if (System.getProperty("agents.note") != null || System.getProperty("user.dir") == null) {
            escaped("a note of an earlier game");
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        System.setProperty("agents.note", "x");
        System.getProperties().put(this, this);
        System.clearProperty("user.dir");
        return null;
    }
}
