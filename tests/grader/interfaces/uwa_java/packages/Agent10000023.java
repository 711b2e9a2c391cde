package hanabAI;

/** In the framework's own package, as a copy of an example that lay there. */
public class Agent10000023 implements Agent {
    public String toString() {
        return "Lodger";
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
