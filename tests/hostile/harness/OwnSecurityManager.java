/*
 * Forbids everybody else everything, to end the machine most of all.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.security.Permission;

public class OwnSecurityManager extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        System.setSecurityManager(new SecurityManager() {
            @Override
            public void checkPermission(Permission permission) {
                throw new SecurityException("not you");
            }
        });
        return null;
    }
}
