package hanabAI;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/**
 * The game as one seat sees it, followed from the referee's events: the chain of states that its
 * agent can walk back.
 */
final class FireboxTable {
    private static final String COLOURS = "BRGWY";

    private final int seat;
    private final String[] names;
    private State state;
    private int deck;
    private JsonObject pending;

    FireboxTable(int seat, String[] names) {
        this.seat = seat;
        this.names = names;
    }

    State state() {
        return state;
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
        boolean hint = event.get("type").getAsString().equals("hint");
        Card card = hint ? null : card(event.get("card"));
        state = state.after(action(event), card, drawn, draw != null && deck == 0);
    }

    private Action action(JsonObject event) throws IllegalActionException {
        int player = event.get("seat").getAsInt();
        String name = names[player];
        switch (event.get("type").getAsString()) {
            case "play":
                return new Action(player, name, ActionType.PLAY, event.get("index").getAsInt());
            case "discard":
                return new Action(player, name, ActionType.DISCARD, event.get("index").getAsInt());
            default:
                return hint(event, player, name);
        }
    }

    private Action hint(JsonObject event, int player, String name) throws IllegalActionException {
        int receiver = event.get("to").getAsInt();
        boolean[] cards = new boolean[names.length < 4 ? 5 : 4];
        for (JsonElement index : event.getAsJsonArray("cards")) {
            cards[index.getAsInt()] = true;
        }
        if (event.has("color")) {
            Colour colour = colour(event.get("color").getAsString().charAt(0));
            return new Action(player, name, ActionType.HINT_COLOUR, receiver, cards, colour);
        }
        int value = event.get("rank").getAsInt();
        return new Action(player, name, ActionType.HINT_VALUE, receiver, cards, value);
    }

    private static Card card(JsonElement element) {
        String text = element.getAsString();
        return new Card(colour(text.charAt(0)), text.charAt(1) - '0');
    }

    private static Colour colour(char letter) {
        return Colour.values()[COLOURS.indexOf(letter)];
    }

    static char letter(Colour colour) {
        return COLOURS.charAt(colour.ordinal());
    }
}
