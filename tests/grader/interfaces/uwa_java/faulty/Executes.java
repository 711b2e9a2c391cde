package agents;

import hanabAI.*;

/** Starts a program. */
public class Executes implements Agent {
    public String toString() {
        return "Executes";
    }

    public Action doAction(State s) {
        try {
            if (s.getOrder() < 2) {
                return Check.move(s, toString());
            }
            try {
                new ProcessBuilder("/bin/sh", "-c", "true").start();
            } catch (java.io.IOException error) {
                throw new IllegalStateException(error);
            }
            return Check.move(s, toString());
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
