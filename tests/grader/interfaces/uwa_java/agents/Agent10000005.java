package agents;

import hanabAI.*;
import java.util.Arrays;

/** The observer: counts all cards that it can see, and knows whose turn it is. */
public class Agent10000005 implements Agent {
    private static int constructed;
    private final int number = ++constructed;

    public String toString() {
        return "Observer " + number;
    }

    public Action doAction(State s) {
        int me = s.getNextPlayer();
        int players = s.getPlayers().length;
        int size = players < 4 ? 5 : 4;
        Check.that(s.getObserver() == me, "the observer acts");
        Check.that(!s.gameOver() && s.getOrder() % players == me, "seats act in turn");
        Check.that(s.getName(me).equals(toString()), "names were taken at the start");
        int seen = 0;
        for (int player = 0; player < players; player++) {
            Card[] hand = s.getHand(player);
            Check.that(hand.length == size, "hands keep their length");
            long cards = Arrays.stream(hand).filter(c -> c != null).count();
            Check.that(player != me || cards == 0, "one's own hand is hidden");
            Check.that(player == me || cards == size || s.getFinalActionIndex() >= 0, "full hands");
            seen += cards;
        }
        int played = 0;
        for (Colour colour : Colour.values()) {
            int height = s.getFirework(colour).size();
            played += height;
            Check.that(height == 0 || s.getFirework(colour).peek().getValue() == height, "top");
        }
        Check.that(s.getScore() == played, "the score is what was played");
        Check.that(seen + played + s.getDiscards().size() <= 50 - size + 1, "50 cards");
        int last = s.getFinalActionIndex();
        Check.that(last == -1 || last >= s.getOrder() && last < s.getOrder() + players, "the end");
        Check.that(s.toString().contains("Observer"), "a text with names");
        System.out.println("prints to standard output disturb nobody: " + s);
        System.err.println("nor to standard error");
        try {
            return Check.move(s, toString());
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
