package agents;

import hanabAI.*;
import java.util.*;

/** Plain sense, for the package hanabAI. The rules of this strategy are in ../README.md. */
public class Agent20000001 implements Agent {
    private static final Colour[] LETTERS = {
        Colour.RED, Colour.YELLOW, Colour.GREEN, Colour.WHITE, Colour.BLUE
    };

    private State s;
    private int me;
    private int known = -1;
    private Slot[][] slots;

    /** What everybody knows of one card: when it was drawn, and what its holder was told. */
    private static class Slot {
        int age;
        Colour colour;
        int value;
        boolean empty;

        Slot(int age) {
            this.age = age;
        }
    }

    public String toString() {
        return "Plain sense";
    }

    public Action doAction(State state) {
        s = state;
        me = s.getNextPlayer();
        try {
            retell();
            Action action = surePlay();
            if (action == null && s.getHintTokens() > 0) {
                action = hintAtPlayable();
            }
            if (action == null && s.getHintTokens() == 0 && s.getFuseTokens() > 1) {
                action = gamble();
            }
            if (action == null && s.getHintTokens() < 8) {
                action = discard();
            }
            return action != null ? action : hintAny();
        } catch (IllegalActionException e) {
            throw new RuntimeException(e);
        }
    }

    /** Walks back to what it knew in its last turn, and forth again with what happened. */
    private void retell() throws IllegalActionException {
        Deque<State> states = new ArrayDeque<>();
        for (State each = s; each != null && each.getOrder() > known; each = each.getPreviousState()) {
            states.push(each);
        }
        if (known < 0) {
            deal(states.pop());
        }
        for (State after : states) {
            happened(after.getPreviousState(), after.getPreviousAction());
        }
        known = s.getOrder();
    }

    private void deal(State first) {
        slots = new Slot[first.getPlayers().length][];
        for (int player = 0; player < slots.length; player++) {
            slots[player] = new Slot[first.getHand(player).length];
            for (int i = 0; i < slots[player].length; i++) {
                slots[player][i] = new Slot(i - slots[player].length);
            }
        }
    }

    private void happened(State before, Action action) throws IllegalActionException {
        if (action.getType() == ActionType.PLAY || action.getType() == ActionType.DISCARD) {
            Slot drawn = new Slot(before.getOrder());
            drawn.empty = before.getFinalActionIndex() >= 0;
            slots[action.getPlayer()][action.getCard()] = drawn;
            return;
        }
        boolean[] touched = action.getHintedCards();
        for (int i = 0; i < touched.length; i++) {
            Slot told = slots[action.getHintReceiver()][i];
            if (touched[i] && action.getType() == ActionType.HINT_COLOUR) {
                told.colour = action.getColour();
            } else if (touched[i]) {
                told.value = action.getValue();
            }
        }
    }

    private List<Integer> byAge(int player) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < slots[player].length; i++) {
            if (!slots[player][i].empty) {
                order.add(i);
            }
        }
        order.sort(Comparator.comparingInt(i -> slots[player][i].age));
        return order;
    }

    private boolean fits(Colour colour, int value) {
        return s.getFirework(colour).size() == value - 1;
    }

    private Action surePlay() throws IllegalActionException {
        for (int i : byAge(me)) {
            Slot told = slots[me][i];
            boolean sure = told.value > 0;
            for (Colour colour : told.colour == null ? LETTERS : new Colour[] {told.colour}) {
                sure = sure && fits(colour, told.value);
            }
            if (sure) {
                return new Action(me, toString(), ActionType.PLAY, i);
            }
        }
        return null;
    }

    private Action hintAtPlayable() throws IllegalActionException {
        for (int k = 1; k < slots.length; k++) {
            int player = (me + k) % slots.length;
            Card[] hand = s.getHand(player);
            for (int i : byAge(player)) {
                if (!fits(hand[i].getColour(), hand[i].getValue())) {
                    continue;
                }
                if (slots[player][i].value == 0) {
                    return hint(player, null, hand[i].getValue());
                }
                if (slots[player][i].colour == null) {
                    return hint(player, hand[i].getColour(), 0);
                }
            }
        }
        return null;
    }

    private Action hint(int player, Colour colour, int value) throws IllegalActionException {
        Card[] hand = s.getHand(player);
        boolean[] cards = new boolean[hand.length];
        for (int i = 0; i < hand.length; i++) {
            cards[i] = hand[i] != null
                    && (colour == null ? hand[i].getValue() == value : hand[i].getColour() == colour);
        }
        return colour == null
                ? new Action(me, toString(), ActionType.HINT_VALUE, player, cards, value)
                : new Action(me, toString(), ActionType.HINT_COLOUR, player, cards, colour);
    }

    private Action gamble() throws IllegalActionException {
        for (int i : byAge(me)) {
            Slot told = slots[me][i];
            if (told.colour == null && told.value > 0
                    && Arrays.stream(LETTERS).anyMatch(colour -> fits(colour, told.value))) {
                return new Action(me, toString(), ActionType.PLAY, i);
            }
        }
        return null;
    }

    private Action discard() throws IllegalActionException {
        List<Integer> order = byAge(me);
        int chosen = -1;
        for (int i : order) {
            Slot told = slots[me][i];
            if (chosen < 0 && told.colour != null && told.value > 0
                    && s.getFirework(told.colour).size() >= told.value) {
                chosen = i;
            }
        }
        for (int i : order) {
            if (chosen < 0 && slots[me][i].colour == null && slots[me][i].value == 0) {
                chosen = i;
            }
        }
        return new Action(me, toString(), ActionType.DISCARD, chosen < 0 ? order.get(0) : chosen);
    }

    private Action hintAny() throws IllegalActionException {
        int player = (me + 1) % slots.length;
        for (Colour colour : LETTERS) {
            for (Card card : s.getHand(player)) {
                if (card != null && card.getColour() == colour) {
                    return hint(player, colour, 0);
                }
            }
        }
        throw new IllegalStateException("nobody has a card");
    }
}
