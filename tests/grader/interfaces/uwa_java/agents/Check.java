package agents;

import hanabAI.Action;
import hanabAI.ActionType;
import hanabAI.Card;
import hanabAI.IllegalActionException;
import hanabAI.State;

/** What the agents of these tests share: saying what is wrong, and a legal move. */
final class Check {
    private Check() {}

    static void that(boolean right, String what) {
        if (!right) {
            throw new IllegalStateException("not so: " + what);
        }
    }

    interface Attempt {
        void run() throws Exception;
    }

    static void fails(Class<? extends Exception> with, Attempt attempt) {
        try {
            attempt.run();
        } catch (Exception error) {
            that(with.isInstance(error), with.getSimpleName() + " instead of " + error);
            return;
        }
        throw new IllegalStateException("no " + with.getSimpleName());
    }

    /** Hints while it can, plays now and then, discards otherwise. */
    static Action move(State state, String name) throws IllegalActionException {
        int me = state.getNextPlayer();
        if (state.getHintTokens() > 0 && state.getOrder() % 4 != 3) {
            return state.getOrder() % 2 == 0 ? colour(state, name, me) : value(state, name, me);
        }
        if (state.getHintTokens() == 8 || state.getFuseTokens() > 1 && state.getOrder() % 8 == 3) {
            return new Action(me, name, ActionType.PLAY, state.getOrder() % 4);
        }
        return new Action(me, name, ActionType.DISCARD, state.getOrder() % 4);
    }

    static Action colour(State state, String name, int me) throws IllegalActionException {
        int other = (me + 1) % state.getPlayers().length;
        Card[] hand = state.getHand(other);
        Card first = first(hand);
        boolean[] cards = new boolean[hand.length];
        for (int i = 0; i < hand.length; i++) {
            cards[i] = hand[i] != null && hand[i].getColour() == first.getColour();
        }
        return new Action(me, name, ActionType.HINT_COLOUR, other, cards, first.getColour());
    }

    static Action value(State state, String name, int me) throws IllegalActionException {
        int other = (me + 1) % state.getPlayers().length;
        Card[] hand = state.getHand(other);
        Card first = first(hand);
        boolean[] cards = new boolean[hand.length];
        for (int i = 0; i < hand.length; i++) {
            cards[i] = hand[i] != null && hand[i].getValue() == first.getValue();
        }
        return new Action(me, name, ActionType.HINT_VALUE, other, cards, first.getValue());
    }

    private static Card first(Card[] hand) {
        for (Card card : hand) {
            if (card != null) {
                return card;
            }
        }
        throw new IllegalStateException("an empty hand");
    }
}
