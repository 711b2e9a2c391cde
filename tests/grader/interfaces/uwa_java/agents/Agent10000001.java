package agents;

import hanabAI.*;
import java.util.Arrays;
import java.util.Stack;

/** The historian: walks back to the deal in every turn, and every step must follow from the last. */
public class Agent10000001 implements Agent {
    private int seen = -1;

    public Agent10000001() {}

    public String toString() {
        return "Historian";
    }

    public Action doAction(State s) {
        try {
            Check.that(s.getOrder() > seen, "time goes on");
            seen = s.getOrder();
            State later = s;
            int steps = 0;
            while (later.getPreviousState() != null) {
                follows(later.getPreviousState(), later);
                later = later.getPreviousState();
                steps++;
            }
            Check.that(steps == s.getOrder(), steps + " steps to the deal");
            deal(later);
            lastActions(s);
            return Check.move(s, toString());
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }

    private static void deal(State s) {
        Check.that(s.getPreviousAction() == null, "nobody acted before the deal");
        Check.that(s.previousCardPlayed() == null, "nothing was played before the deal");
        Check.that(s.getOrder() == 0 && s.getHintTokens() == 8 && s.getFuseTokens() == 3, "start");
        Check.that(s.getDiscards().isEmpty() && s.getScore() == 0, "nothing on the table");
        Check.that(s.getNextPlayer() == 0, "seat 0 begins");
        Check.fails(ArrayIndexOutOfBoundsException.class, () -> s.getPreviousAction(0));
    }

    private static void follows(State before, State after) throws IllegalActionException {
        Action action = after.getPreviousAction();
        int actor = action.getPlayer();
        Check.that(actor == before.getNextPlayer(), "the one who acted was next");
        Check.that(after.getOrder() == before.getOrder() + 1, "one action at a time");
        int hints = after.getHintTokens() - before.getHintTokens();
        int discards = after.getDiscards().size() - before.getDiscards().size();
        Card card = after.previousCardPlayed();
        switch (action.getType()) {
            case HINT_COLOUR:
            case HINT_VALUE:
                Check.that(card == null && hints == -1 && discards == 0, "a hint");
                hint(before, action);
                break;
            case DISCARD:
                Check.that(hints == 1 && discards == 1, "a discard");
                Check.that(after.getDiscards().peek().equals(card), "the newest discard is on top");
                slot(before, after, action.getCard(), card);
                break;
            default:
                Stack<Card> firework = after.getFirework(card.getColour());
                boolean fits = before.getFirework(card.getColour()).size() == card.getValue() - 1;
                Check.that(fits == (discards == 0), "a play that fits discards nothing");
                Check.that(fits ? firework.peek().equals(card)
                        : after.getFuseTokens() == before.getFuseTokens() - 1, "a play");
                boolean gains = fits && card.getValue() == 5 && before.getHintTokens() < 8;
                Check.that(hints == (gains ? 1 : 0), "only a five gives a token");
                slot(before, after, action.getCard(), card);
        }
    }

    /** The drawn card lies where the other left; the others stay where they were. */
    private static void slot(State before, State after, int index, Card left) {
        int actor = before.getNextPlayer();
        Card[] old = before.getHand(actor);
        Card[] now = after.getHand(actor);
        if (actor == after.getObserver()) {
            Check.that(Arrays.stream(old).allMatch(c -> c == null), "one's own hand is hidden");
            return;
        }
        Check.that(left.equals(old[index]), "the card that left was there");
        for (int i = 0; i < old.length; i++) {
            Check.that(i == index || old[i] == now[i] || old[i].equals(now[i]), "others stay");
        }
        Check.that(after.getFinalActionIndex() >= 0 || now[index] != null, "a card was drawn");
    }

    private static void hint(State before, Action action) throws IllegalActionException {
        Card[] hand = before.getHand(action.getHintReceiver());
        boolean[] cards = action.getHintedCards();
        Check.that(cards.length == hand.length, "a hint points at all slots");
        for (int i = 0; i < hand.length; i++) {
            if (hand[i] != null) {
                boolean fits = action.getType() == ActionType.HINT_COLOUR
                        ? hand[i].getColour() == action.getColour()
                        : hand[i].getValue() == action.getValue();
                Check.that(cards[i] == fits, "a hint is true");
            }
        }
    }

    private static void lastActions(State s) {
        for (int player = 0; player < s.getPlayers().length; player++) {
            int who = player;
            if (s.getOrder() > player) {
                Check.that(s.getPreviousAction(player).getPlayer() == player, "whose action");
            } else {
                Check.fails(ArrayIndexOutOfBoundsException.class, () -> s.getPreviousAction(who));
            }
        }
    }
}
