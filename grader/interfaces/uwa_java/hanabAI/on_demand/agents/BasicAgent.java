package agents;

import hanabAI.Action;
import hanabAI.ActionType;
import hanabAI.Agent;
import hanabAI.Card;
import hanabAI.IllegalActionException;
import hanabAI.State;

/**
 * An opponent for the {@code main} methods of agents that were submitted without the course's
 * example. It never plays for a submission: it discards, plays or hints at what its neighbour has.
 */
public class BasicAgent implements Agent {
    @Override
    public String toString() {
        return "Basic";
    }

    @Override
    public Action doAction(State state) {
        try {
            return action(state);
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }

    private Action action(State state) throws IllegalActionException {
        int me = state.getNextPlayer();
        if (state.getHintTokens() == 0) {
            return new Action(me, toString(), ActionType.DISCARD, 0);
        }
        int neighbour = (me + 1) % state.getPlayers().length;
        Card[] hand = state.getHand(neighbour);
        if (hand[0] == null) {
            return new Action(me, toString(), ActionType.PLAY, 0);
        }
        int value = hand[0].getValue();
        boolean[] fits = new boolean[hand.length];
        for (int i = 0; i < hand.length; i++) {
            fits[i] = hand[i] != null && hand[i].getValue() == value;
        }
        return new Action(me, toString(), ActionType.HINT_VALUE, neighbour, fits, value);
    }
}
