package agents;

import hanabAI.*;

/** Runs into an exception. */
public class Throws implements Agent {
    public String toString() {
        return "Throws";
    }

    public Action doAction(State s) {
        try {
            if (s.getOrder() < 2) {
                return Check.move(s, toString());
            }
            Object nothing = s.getDiscards().isEmpty() ? null : null;
            return (Action) (Object) nothing.toString();
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
