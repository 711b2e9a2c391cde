package agents;

import hanabAI.*;

/** Takes all memory. */
public class Hoards implements Agent {
    public String toString() {
        return "Hoards";
    }

    public Action doAction(State s) {
        try {
            if (s.getOrder() < 2) {
                return Check.move(s, toString());
            }
            java.util.List<long[]> hoard = new java.util.ArrayList<>();
            while (true) {
                hoard.add(new long[1 << 20]);
            }
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
