package agents;

import hanabAI.*;

/** Points at all cards whatever they are. */
public class LiesInHints implements Agent {
    public String toString() {
        return "LiesInHints";
    }

    public Action doAction(State s) {
        try {
            if (s.getOrder() < 2) {
                return Check.move(s, toString());
            }
            int me = s.getNextPlayer();
            Check.that(s.getHintTokens() > 0, "tokens");
            boolean[] all = {true, true, true, true, true};
            return new Action(me, "x", ActionType.HINT_VALUE, 1 - me, all, 5);
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
