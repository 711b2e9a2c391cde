package agents;

import hanabAI.*;

/** Plays a card that nobody holds. */
public class BadPosition implements Agent {
    public String toString() {
        return "BadPosition";
    }

    public Action doAction(State s) {
        try {
            if (s.getOrder() < 2) {
                return Check.move(s, toString());
            }
            return new Action(s.getNextPlayer(), "x", ActionType.PLAY, 7);
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
