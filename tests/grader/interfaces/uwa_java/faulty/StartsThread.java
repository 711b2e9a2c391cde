package agents;

import hanabAI.*;

/** Starts a thread. */
public class StartsThread implements Agent {
    public String toString() {
        return "StartsThread";
    }

    public Action doAction(State s) {
        try {
            if (s.getOrder() < 2) {
                return Check.move(s, toString());
            }
            new Thread(() -> { }).start();
            return Check.move(s, toString());
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
