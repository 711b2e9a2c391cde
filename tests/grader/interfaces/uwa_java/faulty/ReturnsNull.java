package agents;

import hanabAI.*;

/** Answers nothing. */
public class ReturnsNull implements Agent {
    public String toString() {
        return "ReturnsNull";
    }

    public Action doAction(State s) {
        try {
            if (s.getOrder() < 2) {
                return Check.move(s, toString());
            }
            return null;
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
