package agents;

import hanabAI.*;

/** Has a pool of threads compute. */
public class UsesPool implements Agent {
    public String toString() {
        return "UsesPool";
    }

    public Action doAction(State s) {
        try {
            if (s.getOrder() < 2) {
                return Check.move(s, toString());
            }
            new java.util.concurrent.ForkJoinPool(2).submit(() -> 1).join();
            return Check.move(s, toString());
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
