/*
 * Leaves a note in a logger that the machine keeps.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.util.logging.ConsoleHandler;
import java.util.logging.Level;
import java.util.logging.Logger;

public class Loggers extends Hostile {
    @Override
    protected Action look(State state) throws Throwable {
        if (Logger.getLogger("").getLevel() == Level.FINEST) {
            escaped("a note of an earlier game");
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        Logger.getLogger("").addHandler(new ConsoleHandler());
        Logger.getLogger("").setLevel(Level.FINEST);
        return null;
    }
}
