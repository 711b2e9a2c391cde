package agents;

import hanabAI.Action;
import hanabAI.ActionType;
import hanabAI.Agent;
import hanabAI.Card;
import hanabAI.Colour;
import hanabAI.IllegalActionException;
import hanabAI.State;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Stack;

/** The librarian: takes every type in hand before the first action. */
public class Agent10000002 implements Agent {
    private boolean done;

    @Override
    public String toString() {
        return "Librarian";
    }

    @Override
    public Action doAction(State s) {
        try {
            if (!done) {
                done = true;
                cards();
                actions();
                Exception one = new IllegalActionException("why");
                Check.that(one.getMessage().equals("why"), "a message");
            }
            return Check.move(s, toString());
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }

    private static void cards() {
        String colours = Arrays.toString(Colour.values());
        Check.that(colours.equals("[Blue, Red, Green, White, Yellow]"), colours);
        Check.that(Colour.valueOf("WHITE") == Colour.values()[3], "names");
        Card three = new Card(Colour.BLUE, 3);
        Check.that(three.toString().equals("Blue-3"), three.toString());
        Check.that(three.getColour() == Colour.BLUE && three.getValue() == 3, "parts");
        Check.that(three.equals(new Card(Colour.BLUE, 3)), "equal cards");
        Check.that(three.hashCode() == new Card(Colour.BLUE, 3).hashCode(), "equal hashes");
        Check.that(!three.equals(new Card(Colour.RED, 3)) && !three.equals(null), "others");
        int[] counts = {3, 2, 2, 2, 1};
        for (int value = 1; value <= 5; value++) {
            Check.that(new Card(Colour.RED, value).getCount() == counts[value - 1], "copies");
        }
        String types = Arrays.toString(ActionType.values());
        Check.that(types.equals("[PLAY, DISCARD, HINT_COLOUR, HINT_VALUE]"), types);
        Check.that(Arrays.toString(Card.getDeck()).equals(Arrays.toString(deck())), "colours in order");
        Check.fails(IllegalArgumentException.class, () -> new Card(Colour.RED, 0));
        Check.fails(IllegalArgumentException.class, () -> new Card(Colour.RED, 6));
        Card two = new Card(null, 2);
        Check.that(two.getColour() == null && two.toString().equals("null-2"), "no colour");
        Check.that(two.equals(new Card(null, 2)) && !two.equals(new Card(Colour.BLUE, 2)), "equal");
        Check.that(new HashSet<>(Arrays.asList(two, new Card(null, 2))).size() == 1, "one value");
        Card[] deck = Card.getDeck();
        Check.that(deck.length == 50 && new HashSet<>(Arrays.asList(deck)).size() == 25, "deck");
        String start = Arrays.toString(Arrays.copyOf(deck, 11));
        Check.that(start.equals("[Blue-1, Blue-1, Blue-1, Blue-2, Blue-2, Blue-3, Blue-3, Blue-4, "
                + "Blue-4, Blue-5, Red-1]"), start);
        Stack<Card> shuffled = Card.shuffledDeck();
        Check.that(shuffled.size() == 50, "a shuffled deck is whole");
        Check.that(!Arrays.asList(deck).equals(shuffled), "and in another order");
        Arrays.asList(deck).forEach(card -> Check.that(shuffled.remove(card), "the same cards"));
    }

    private static Card[] deck() {
        Card[] deck = new Card[50];
        int[] values = {1, 1, 1, 2, 2, 3, 3, 4, 4, 5};
        for (int i = 0; i < deck.length; i++) {
            deck[i] = new Card(Colour.values()[i / 10], values[i % 10]);
        }
        return deck;
    }

    private static void actions() throws IllegalActionException {
        Action play = new Action(1, "me", ActionType.PLAY, 4);
        Check.that(play.getPlayer() == 1 && play.getType() == ActionType.PLAY, "parts");
        Check.that(play.getCard() == 4 && play.toString().contains("me"), play.toString());
        Check.fails(IllegalActionException.class, play::getHintReceiver);
        Check.fails(IllegalActionException.class, play::getHintedCards);
        Check.fails(IllegalActionException.class, play::getColour);
        Check.fails(IllegalActionException.class, play::getValue);
        boolean[] which = {true, false, true, false, false};
        Action colour = new Action(0, "me", ActionType.HINT_COLOUR, 1, which, Colour.GREEN);
        Check.that(colour.getColour() == Colour.GREEN && colour.getHintReceiver() == 1, "parts");
        which[1] = true;
        Check.that(colour.getHintedCards()[1], "an action keeps the array itself");
        colour.getHintedCards()[3] = true;
        Check.that(!colour.getHintedCards()[3], "and gives copies away");
        Check.fails(IllegalActionException.class, colour::getCard);
        Check.fails(IllegalActionException.class, colour::getValue);
        Action value = new Action(0, "me", ActionType.HINT_VALUE, 1, which, 2);
        Check.that(value.getValue() == 2 && value.getType() == ActionType.HINT_VALUE, "parts");
        Check.fails(IllegalActionException.class, value::getColour);
        Check.fails(IllegalActionException.class,
                () -> new Action(0, "me", ActionType.HINT_VALUE, 2));
        Check.fails(IllegalActionException.class,
                () -> new Action(0, "me", ActionType.PLAY, 1, which, 2));
        Check.fails(IllegalActionException.class,
                () -> new Action(0, "me", ActionType.HINT_VALUE, 1, which, Colour.RED));
    }
}
