package agents;

import hanabAI.*;

/** Calls itself without end. */
public class Recurses implements Agent {
    public String toString() {
        return "Recurses";
    }

    public Action doAction(State s) {
        try {
            if (s.getOrder() < 2) {
                return Check.move(s, toString());
            }
            return doAction(s);
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
