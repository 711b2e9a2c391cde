package agents;

import hanabAI.*;

/** Ends the machine. */
public class Exits implements Agent {
    public String toString() {
        return "Exits";
    }

    public Action doAction(State s) {
        try {
            if (s.getOrder() < 2) {
                return Check.move(s, toString());
            }
            System.exit(0);
            return null;
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
