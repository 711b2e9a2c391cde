/*
 * Brings classes of its own in the launcher's package.
 *
 * Verdict: rejected
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class ShipsALauncher extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        refused("the launcher", () -> firebox.boot.Spy.look());
        return null;
    }
}
