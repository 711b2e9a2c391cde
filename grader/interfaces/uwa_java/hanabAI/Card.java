package hanabAI;

import java.util.Arrays;
import java.util.Collections;
import java.util.Stack;

/** One card; immutable. */
public class Card {
    private static final int[] COUNTS = {3, 2, 2, 2, 1};

    private static final Card[] DECK = deck();

    private final Colour colour;
    private final int value;

    /**
     * A card; without a colour, one of which an agent knows only the value.
     *
     * @throws IllegalArgumentException unless the value is 1 to 5
     */
    public Card(Colour colour, int value) throws IllegalArgumentException {
        if (value < 1 || value > 5) {
            throw new IllegalArgumentException("no card is " + colour + "-" + value);
        }
        this.colour = colour;
        this.value = value;
    }

    public Colour getColour() {
        return colour;
    }

    public int getValue() {
        return value;
    }

    /** How many such cards a deck has. */
    public int getCount() {
        return COUNTS[value - 1];
    }

    @Override
    public String toString() {
        return colour + "-" + value;
    }

    /** The fifty cards, sorted by colour and value: the same objects at each call. */
    public static Card[] getDeck() {
        return DECK.clone();
    }

    private static Card[] deck() {
        Card[] deck = new Card[50];
        int next = 0;
        for (Colour colour : Colour.values()) {
            for (int value = 1; value <= 5; value++) {
                for (int copy = 0; copy < COUNTS[value - 1]; copy++) {
                    deck[next++] = new Card(colour, value);
                }
            }
        }
        return deck;
    }

    public static Stack<Card> shuffledDeck() {
        Stack<Card> deck = new Stack<>();
        deck.addAll(Arrays.asList(getDeck()));
        Collections.shuffle(deck);
        return deck;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Card
                && ((Card) other).colour == colour && ((Card) other).value == value;
    }

    @Override
    public int hashCode() {
        return 5 * (colour == null ? -1 : colour.ordinal()) + value;
    }
}
