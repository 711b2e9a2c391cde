import hanabAI.*;

/** In no package at all, and helped by nobody. */
public class Agent10000021 implements Agent {
    public String toString() {
        return "Homeless";
    }

    public Action doAction(State s) {
        int me = s.getNextPlayer();
        ActionType type = s.getHintTokens() == 8 ? ActionType.PLAY : ActionType.DISCARD;
        try {
            return new Action(me, toString(), type, 0);
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
