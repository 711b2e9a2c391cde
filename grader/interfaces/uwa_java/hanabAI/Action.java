package hanabAI;

/** One move. It keeps the array that it is made with; what its type lacks, its getters refuse. */
public class Action {
    private final int player;
    private final String playerName;
    private final ActionType type;
    private final int card;
    private final int receiver;
    private final boolean[] cards;
    private final Colour colour;
    private final int value;

    /** Plays or discards the card at a position. */
    public Action(int player, String playerName, ActionType type, int position)
            throws IllegalActionException {
        this(player, playerName, type, position, -1, null, null, -1);
        if (type != ActionType.PLAY && type != ActionType.DISCARD) {
            throw new IllegalActionException("Wrong parameters for action type");
        }
    }

    /** Tells the receiver which of their cards have a colour. */
    public Action(int player, String playerName, ActionType type, int receiver, boolean[] cards,
            Colour colour) throws IllegalActionException {
        this(player, playerName, type, -1, receiver, cards, colour, -1);
        if (type != ActionType.HINT_COLOUR) {
            throw new IllegalActionException("Wrong parameters for action type");
        }
    }

    /** Tells the receiver which of their cards have a value. */
    public Action(int player, String playerName, ActionType type, int receiver, boolean[] cards,
            int value) throws IllegalActionException {
        this(player, playerName, type, -1, receiver, cards, null, value);
        if (type != ActionType.HINT_VALUE) {
            throw new IllegalActionException("Wrong parameters for action type");
        }
    }

    private Action(int player, String playerName, ActionType type, int card, int receiver,
            boolean[] cards, Colour colour, int value) {
        this.player = player;
        this.playerName = playerName;
        this.type = type;
        this.card = card;
        this.receiver = receiver;
        this.cards = cards;
        this.colour = colour;
        this.value = value;
    }

    public int getPlayer() {
        return player;
    }

    public ActionType getType() {
        return type;
    }

    /** Position of the card that is played or discarded. */
    public int getCard() throws IllegalActionException {
        require(type == ActionType.PLAY || type == ActionType.DISCARD, "Card is not defined");
        return card;
    }

    public int getHintReceiver() throws IllegalActionException {
        require(isHint(), "Action is not a hint");
        return receiver;
    }

    /** Which of the receiver's cards the hint points at; a copy. */
    public boolean[] getHintedCards() throws IllegalActionException {
        require(isHint(), "Action is not a hint");
        return cards.clone();
    }

    public Colour getColour() throws IllegalActionException {
        require(type == ActionType.HINT_COLOUR, "Action is not a colour hint");
        return colour;
    }

    public int getValue() throws IllegalActionException {
        require(type == ActionType.HINT_VALUE, "Action is not a value hint");
        return value;
    }

    boolean hasCards() {
        return cards != null;
    }

    boolean isHint() {
        return type == ActionType.HINT_COLOUR || type == ActionType.HINT_VALUE;
    }

    private void require(boolean is, String complaint) throws IllegalActionException {
        if (!is) {
            throw new IllegalActionException(complaint);
        }
    }

    /** As agents of the course read it: {@code Player NAME(0) plays the card at position 2}. */
    @Override
    public String toString() {
        String who = "Player " + playerName + "(" + player + ")";
        if (!isHint()) {
            String does = type == ActionType.PLAY ? " plays" : " discards";
            return who + does + " the card at position " + card;
        }
        StringBuilder which = new StringBuilder(cards.length > 1 ? " positions" : " position");
        for (int i = 0; i < cards.length; i++) {
            if (cards[i]) {
                which.append(' ').append(i);
            }
        }
        String what = type == ActionType.HINT_COLOUR ? "colour " + colour : "value " + value;
        return who + " gives the hint: \"Player " + receiver + ", cards at" + which + " have "
                + what + "\"";
    }
}
