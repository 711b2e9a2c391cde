package agents;

import hanabAI.*;

public class NoSuchType implements Agent {
    public Action doAction(State s) {
        return s.bestAction();
    }
}
