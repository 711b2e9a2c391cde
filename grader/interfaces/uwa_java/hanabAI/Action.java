package hanabAI;

/** One move; immutable. What its type has no answer to, its getters refuse. */
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
            throw new IllegalActionException("Only cards are played or discarded by position");
        }
    }

    /** Tells the receiver which of their cards have a colour. */
    public Action(int player, String playerName, ActionType type, int receiver, boolean[] cards,
            Colour colour) throws IllegalActionException {
        this(player, playerName, type, -1, receiver, cards, colour, -1);
        if (type != ActionType.HINT_COLOUR) {
            throw new IllegalActionException("Only a colour hint names a colour");
        }
    }

    /** Tells the receiver which of their cards have a value. */
    public Action(int player, String playerName, ActionType type, int receiver, boolean[] cards,
            int value) throws IllegalActionException {
        this(player, playerName, type, -1, receiver, cards, null, value);
        if (type != ActionType.HINT_VALUE) {
            throw new IllegalActionException("Only a value hint names a value");
        }
    }

    private Action(int player, String playerName, ActionType type, int card, int receiver,
            boolean[] cards, Colour colour, int value) {
        this.player = player;
        this.playerName = playerName;
        this.type = type;
        this.card = card;
        this.receiver = receiver;
        this.cards = cards == null ? null : cards.clone();
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
        require(type == ActionType.PLAY || type == ActionType.DISCARD, "names no card");
        return card;
    }

    public int getHintReceiver() throws IllegalActionException {
        require(isHint(), "has no receiver");
        return receiver;
    }

    /** Which of the receiver's cards the hint points at; a copy. */
    public boolean[] getHintedCards() throws IllegalActionException {
        require(isHint(), "points at no cards");
        return cards == null ? null : cards.clone();
    }

    public Colour getColour() throws IllegalActionException {
        require(type == ActionType.HINT_COLOUR, "names no colour");
        return colour;
    }

    public int getValue() throws IllegalActionException {
        require(type == ActionType.HINT_VALUE, "names no value");
        return value;
    }

    private boolean isHint() {
        return type == ActionType.HINT_COLOUR || type == ActionType.HINT_VALUE;
    }

    private void require(boolean is, String complaint) throws IllegalActionException {
        if (!is) {
            throw new IllegalActionException("A " + type + " " + complaint);
        }
    }

    @Override
    public String toString() {
        String who = playerName + "(" + player + ")";
        if (type == ActionType.PLAY || type == ActionType.DISCARD) {
            return who + (type == ActionType.PLAY ? " plays card " : " discards card ") + card;
        }
        StringBuilder which = new StringBuilder();
        for (int i = 0; cards != null && i < cards.length; i++) {
            if (cards[i]) {
                which.append(' ').append(i);
            }
        }
        Object what = type == ActionType.HINT_COLOUR ? colour : (Object) value;
        return who + " hints player " + receiver + ": " + what + ", cards" + which;
    }
}
