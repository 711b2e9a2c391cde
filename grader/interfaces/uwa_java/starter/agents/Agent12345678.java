package agents;

import hanabAI.Action;
import hanabAI.ActionType;
import hanabAI.Agent;
import hanabAI.Card;
import hanabAI.Colour;
import hanabAI.IllegalActionException;
import hanabAI.State;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** Plays a card that must fit, else hints at one that fits, else discards its oldest card. */
public class Agent12345678 implements Agent {
    private State state;
    private int me;
    private Known[][] known;

    @Override
    public String toString() {
        return "Starter";
    }

    @Override
    public Action doAction(State now) {
        state = now;
        me = now.getNextPlayer();
        try {
            remember();
            Action action = playWhatFits();
            if (action == null && state.getHintTokens() > 0) {
                action = hintAtWhatFits();
            }
            if (action == null && state.getHintTokens() < 8) {
                action = discardTheOldest();
            }
            return action == null ? hintAnything() : action;
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }

    private Action playWhatFits() throws IllegalActionException {
        for (int i = 0; i < known[me].length; i++) {
            if (known[me][i].allFit()) {
                return new Action(me, toString(), ActionType.PLAY, i);
            }
        }
        return null;
    }

    /** Hints the value or the colour of a card that fits, trying the next player first. */
    private Action hintAtWhatFits() throws IllegalActionException {
        for (int far = 1; far < known.length; far++) {
            int player = (me + far) % known.length;
            Card[] hand = state.getHand(player);
            for (int i = 0; i < hand.length; i++) {
                if (hand[i] != null && fits(hand[i].getColour(), hand[i].getValue())) {
                    if (!known[player][i].oneValue()) {
                        return hint(player, hand[i].getValue());
                    }
                    if (!known[player][i].oneColour()) {
                        return hint(player, hand[i].getColour());
                    }
                }
            }
        }
        return null;
    }

    private Action discardTheOldest() throws IllegalActionException {
        int oldest = 0;
        for (int i = 1; i < known[me].length; i++) {
            if (known[me][i].since < known[me][oldest].since) {
                oldest = i;
            }
        }
        return new Action(me, toString(), ActionType.DISCARD, oldest);
    }

    /** Hints the value of the next player's first card. */
    private Action hintAnything() throws IllegalActionException {
        int player = (me + 1) % known.length;
        for (Card card : state.getHand(player)) {
            if (card != null) {
                return hint(player, card.getValue());
            }
        }
        return hint(player, 1);
    }

    private Action hint(int player, int value) throws IllegalActionException {
        Card[] hand = state.getHand(player);
        boolean[] cards = new boolean[hand.length];
        for (int i = 0; i < hand.length; i++) {
            cards[i] = hand[i] != null && hand[i].getValue() == value;
        }
        return new Action(me, toString(), ActionType.HINT_VALUE, player, cards, value);
    }

    private Action hint(int player, Colour colour) throws IllegalActionException {
        Card[] hand = state.getHand(player);
        boolean[] cards = new boolean[hand.length];
        for (int i = 0; i < hand.length; i++) {
            cards[i] = hand[i] != null && hand[i].getColour() == colour;
        }
        return new Action(me, toString(), ActionType.HINT_COLOUR, player, cards, colour);
    }

    private boolean fits(Colour colour, int value) {
        return state.getFirework(colour).size() == value - 1;
    }

    /** Goes through all actions since the deal, and collects what each player was told. */
    private void remember() throws IllegalActionException {
        Deque<State> past = new ArrayDeque<>();
        for (State each = state; each.getOrder() > 0; each = each.getPreviousState()) {
            past.push(each);
        }
        known = new Known[state.getPlayers().length][state.getHand(me).length];
        for (Known[] hand : known) {
            for (int i = 0; i < hand.length; i++) {
                hand[i] = new Known(0);
            }
        }
        for (State each : past) {
            learn(each.getPreviousAction(), each.getOrder());
        }
    }

    private void learn(Action action, int order) throws IllegalActionException {
        if (action.getType() == ActionType.PLAY || action.getType() == ActionType.DISCARD) {
            known[action.getPlayer()][action.getCard()] = new Known(order);
            return;
        }
        boolean[] cards = action.getHintedCards();
        for (int i = 0; i < cards.length; i++) {
            Known card = known[action.getHintReceiver()][i];
            if (action.getType() == ActionType.HINT_COLOUR) {
                card.hear(action.getColour(), cards[i]);
            } else {
                card.hear(action.getValue(), cards[i]);
            }
        }
    }

    /** The colours and values that one card can have, by its hints. */
    private class Known {
        final int since;
        private final boolean[] colours = new boolean[5];
        private final boolean[] values = new boolean[5];

        Known(int since) {
            this.since = since;
            Arrays.fill(colours, true);
            Arrays.fill(values, true);
        }

        void hear(Colour colour, boolean pointedAt) {
            for (Colour each : Colour.values()) {
                colours[each.ordinal()] &= (each == colour) == pointedAt;
            }
        }

        void hear(int value, boolean pointedAt) {
            for (int each = 1; each <= 5; each++) {
                values[each - 1] &= (each == value) == pointedAt;
            }
        }

        boolean oneColour() {
            return count(colours) == 1;
        }

        boolean oneValue() {
            return count(values) == 1;
        }

        /** Returns whether it fits, whatever card it is. */
        boolean allFit() {
            for (Colour colour : Colour.values()) {
                for (int value = 1; value <= 5; value++) {
                    boolean possible = colours[colour.ordinal()] && values[value - 1];
                    if (possible && !fits(colour, value)) {
                        return false;
                    }
                }
            }
            return true;
        }

        private int count(boolean[] which) {
            int count = 0;
            for (boolean each : which) {
                count += each ? 1 : 0;
            }
            return count;
        }
    }
}
