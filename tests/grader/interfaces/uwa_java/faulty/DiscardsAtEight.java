package agents;

import hanabAI.*;

/** Discards though all hint tokens are there. */
public class DiscardsAtEight implements Agent {
    public String toString() {
        return "DiscardsAtEight";
    }

    public Action doAction(State s) {
        try {
            if (s.getOrder() < 2) {
                return Check.move(s, toString());
            }
            int me = s.getNextPlayer();
            return new Action(me, "x", s.getHintTokens() == 8 || s.getOrder() > 3
                    ? ActionType.DISCARD : ActionType.PLAY, 0);
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
