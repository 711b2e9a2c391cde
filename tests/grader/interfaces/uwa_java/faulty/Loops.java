package agents;

import hanabAI.*;

/** Computes for ever. */
public class Loops implements Agent {
    public String toString() {
        return "Loops";
    }

    public Action doAction(State s) {
        try {
            if (s.getOrder() < 2) {
                return Check.move(s, toString());
            }
            long n = 0;
            while (true) {
                n += s.getOrder();
            }
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
