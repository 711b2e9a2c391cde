package agents;

import hanabAI.*;

/** Sleeps longer than anybody waits. */
public class Sleeps implements Agent {
    public String toString() {
        return "Sleeps";
    }

    public Action doAction(State s) {
        try {
            if (s.getOrder() < 2) {
                return Check.move(s, toString());
            }
            try {
                Thread.sleep(60_000);
            } catch (InterruptedException error) {
                throw new IllegalStateException(error);
            }
            return Check.move(s, toString());
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
