package student.project.hanabi.helpers;

import hanabAI.*;

/** Knows what to do. */
public class Chooser {
    public Action choose(State s) {
        int me = s.getNextPlayer();
        ActionType type = s.getHintTokens() == 8 ? ActionType.PLAY : ActionType.DISCARD;
        try {
            return new Action(me, s.getName(me), type, 0);
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
