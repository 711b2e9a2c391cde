package agents;

import hanabAI.Action;
import hanabAI.ActionType;
import hanabAI.Agent;
import hanabAI.Card;
import hanabAI.IllegalActionException;
import hanabAI.State;

/** Does next to nothing and never loses: hints a value while it can, else discards. */
public class Light implements Agent {
    public Light() {}

    @Override
    public String toString() {
        return "Light";
    }

    @Override
    public Action doAction(State state) {
        int player = state.getNextPlayer();
        try {
            return state.getHintTokens() > 0 ? hint(state, player)
                    : new Action(player, toString(), ActionType.DISCARD, 0);
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }

    private Action hint(State state, int player) throws IllegalActionException {
        int receiver = (player + 1) % state.getPlayers().length;
        Card[] hand = state.getHand(receiver);
        int value = 0;
        boolean[] cards = new boolean[hand.length];
        for (int i = 0; i < hand.length; i++) {
            value = value == 0 && hand[i] != null ? hand[i].getValue() : value;
            cards[i] = hand[i] != null && hand[i].getValue() == value;
        }
        return new Action(player, toString(), ActionType.HINT_VALUE, receiver, cards, value);
    }
}
