package hanabAI;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Arrays;
import java.util.LinkedList;
import java.util.List;

/**
 * The game as one seat sees it, followed from the referee's events: the chain of states that its
 * agent can walk back.
 */
final class FireboxTable {
    private static final String COLOURS = "BRGWY";
    private static final char NO_COLOUR = '-';

    private final int seat;
    private final String[] names;
    private State state;
    private int deck;
    private JsonObject pending;
    /** The cards that have not been seen: each is one object wherever it is. */
    private final List<Card> unseen = new LinkedList<>(Arrays.asList(Card.getDeck()));
    /** The agent's last answer, which the state gives back as it is, if it was played. */
    private Action own;

    FireboxTable(int seat, String[] names) {
        this.seat = seat;
        this.names = names;
    }

    State state() {
        return state;
    }

    void act(Action action) {
        own = action;
    }

    void follow(JsonArray events) throws IllegalActionException {
        for (JsonElement event : events) {
            follow(event.getAsJsonObject());
        }
        settle(null);
    }

    private void follow(JsonObject event) throws IllegalActionException {
        String type = event.get("type").getAsString();
        if (type.equals("draw")) {
            settle(event);
            return;
        }
        settle(null);
        if (type.equals("deal")) {
            deal(event.getAsJsonArray("hands"));
        } else {
            pending = event;
        }
    }

    private void deal(JsonArray dealt) {
        int size = names.length < 4 ? 5 : 4;
        Card[][] hands = new Card[names.length][size];
        for (int player = 0; player < names.length; player++) {
            for (int i = 0; player != seat && i < size; i++) {
                hands[player][i] = card(dealt.get(player).getAsJsonArray().get(i));
            }
        }
        deck = 50 - names.length * size;
        state = new State(names, hands, seat);
    }

    /** Applies the last action, once it is known what was drawn after it. */
    private void settle(JsonObject draw) throws IllegalActionException {
        if (pending == null) {
            return;
        }
        JsonObject event = pending;
        pending = null;
        Card drawn = null;
        if (draw != null) {
            deck--;
            drawn = draw.get("card").isJsonNull() ? null : card(draw.get("card"));
        }
        state = state.after(action(event), moved(event), drawn, draw != null && deck == 0);
    }

    /** The card that an event is about; {@code null} for a hint. */
    private Card moved(JsonObject event) {
        if (!event.has("card")) {
            return null;
        }
        Card seen = state.getHand(event.get("seat").getAsInt())[event.get("index").getAsInt()];
        return seen == null ? card(event.get("card")) : seen;
    }

    private Action action(JsonObject event) throws IllegalActionException {
        int player = event.get("seat").getAsInt();
        String name = names[player];
        if (player == seat && own != null && isOwn(event)) {
            return own;
        }
        switch (event.get("type").getAsString()) {
            case "play":
                return new Action(player, name, ActionType.PLAY, event.get("index").getAsInt());
            case "discard":
                return new Action(player, name, ActionType.DISCARD, event.get("index").getAsInt());
            default:
                return hint(event, player, name);
        }
    }

    /**
     * Whether the agent's last answer is what was played. It may not be while an agent that takes
     * over a seat is told what was played there before.
     */
    private boolean isOwn(JsonObject event) throws IllegalActionException {
        String type = event.get("type").getAsString();
        if (type.equals("play") || type.equals("discard")) {
            ActionType moved = type.equals("play") ? ActionType.PLAY : ActionType.DISCARD;
            return own.getType() == moved && own.getCard() == event.get("index").getAsInt();
        }
        if (!own.isHint() || own.getHintReceiver() != event.get("to").getAsInt()) {
            return false;
        }
        if (event.has("color")) {
            return own.getType() == ActionType.HINT_COLOUR
                    && letter(own.getColour()) == event.get("color").getAsString().charAt(0);
        }
        return own.getType() == ActionType.HINT_VALUE
                && own.getValue() == event.get("rank").getAsInt();
    }

    private Action hint(JsonObject event, int player, String name) throws IllegalActionException {
        int receiver = event.get("to").getAsInt();
        boolean[] cards = new boolean[state.getHand(receiver).length];
        if (event.has("color")) {
            Colour colour = colour(event.get("color").getAsString().charAt(0));
            return pointed(event, new Action(
                    player, name, ActionType.HINT_COLOUR, receiver, cards, colour), cards);
        }
        int value = event.get("rank").getAsInt();
        return pointed(event, new Action(
                player, name, ActionType.HINT_VALUE, receiver, cards, value), cards);
    }

    /** Sets the cards that a hint points at: those of the event, or empty slots. */
    private Action pointed(JsonObject event, Action hint, boolean[] cards)
            throws IllegalActionException {
        for (JsonElement index : event.getAsJsonArray("cards")) {
            cards[index.getAsInt()] = true;
        }
        boolean namesNothing = hint.getType() == ActionType.HINT_COLOUR
                ? hint.getColour() == null : hint.getValue() == -1;
        if (namesNothing && hint.getHintReceiver() != seat) {
            System.arraycopy(state.fitting(hint), 0, cards, 0, cards.length);
        }
        return hint;
    }

    private Card card(JsonElement element) {
        String text = element.getAsString();
        Card card = new Card(colour(text.charAt(0)), text.charAt(1) - '0');
        int at = unseen.indexOf(card);
        return at < 0 ? card : unseen.remove(at);  // an agent may have changed the deck's cards
    }

    private static Colour colour(char letter) {
        return letter == NO_COLOUR ? null : Colour.values()[COLOURS.indexOf(letter)];
    }

    static char letter(Colour colour) {
        return colour == null ? NO_COLOUR : COLOURS.charAt(colour.ordinal());
    }
}
