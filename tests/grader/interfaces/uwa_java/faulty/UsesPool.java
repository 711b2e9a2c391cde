package agents;

import hanabAI.*;

/** Computes in parallel. */
public class UsesPool implements Agent {
    public String toString() {
        return "UsesPool";
    }

    public Action doAction(State s) {
        try {
            if (s.getOrder() < 2) {
                return Check.move(s, toString());
            }
            java.util.stream.IntStream.range(0, 1000).parallel().map(i -> i * i).sum();
            return Check.move(s, toString());
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
