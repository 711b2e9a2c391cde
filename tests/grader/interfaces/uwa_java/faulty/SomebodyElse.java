package agents;

import hanabAI.*;

/** Acts for its partner. */
public class SomebodyElse implements Agent {
    public String toString() {
        return "SomebodyElse";
    }

    public Action doAction(State s) {
        try {
            if (s.getOrder() < 2) {
                return Check.move(s, toString());
            }
            return new Action(1 - s.getNextPlayer(), "x", ActionType.PLAY, 0);
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
