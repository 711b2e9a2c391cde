package agents;

import hanabAI.*;

/** Of before October 2018: it knows that it is at the deal by the exception. */
public class Agent10000011 implements Agent {
    public String toString() {
        return "Old-timer";
    }

    public Action doAction(State s) {
        int steps = 0;
        State at = s;
        try {
            while (true) {
                at = at.getPreviousState();
                Check.that(at != null, "there is no state that is null");
                steps++;
            }
        } catch (NullPointerException deal) {
            Check.that(steps == s.getOrder() && at.getPreviousAction() == null, "the deal");
        }
        if (steps > 0) {
            Check.that(s.getPreviousAction((s.getNextPlayer() + s.getPlayers().length - 1)
                    % s.getPlayers().length) == s.getPreviousAction(), "the last action");
        }
        try {
            return Check.move(s, toString());
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
