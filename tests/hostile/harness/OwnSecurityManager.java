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
        try {
            System.setSecurityManager(new Forbidding());
        } catch (InternalError error) {
            if (System.getSecurityManager() != null) {
                throw error;
            }
        }
        return null;
    }

    private static final class Forbidding extends SecurityManager {
        @Override
        public void checkPermission(Permission permission) {
            throw new SecurityException("not you");
        }
    }
}
