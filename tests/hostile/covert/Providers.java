/*
 * Leaves a note among the providers of security.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.security.Provider;
import java.security.Security;

public class Providers extends Hostile {
    @Override
    protected Action look(State state) throws Throwable {
        if (Security.getProvider("Note") != null || Security.getProperty("agents.note") != null) {
            escaped("a note of an earlier game");
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        Security.addProvider(new Provider("Note", "1", "x") { });
        Security.setProperty("agents.note", "x");
        return null;
    }
}
