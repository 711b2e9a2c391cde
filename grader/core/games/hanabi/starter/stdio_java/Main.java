import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/**
 * An agent in Java that speaks the protocol itself, over standard input and output.
 *
 * <p>It plays a card that must fit, else hints at a card that the next player can play, else
 * discards.
 */
public class Main {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonObject message = JsonParser.parseString(line).getAsJsonObject();
            String type = message.get("type").getAsString();
            if (type.equals("start")) {
                System.out.println("{\"type\":\"ready\"}");
            } else if (type.equals("turn")) {
                JsonObject answer = new JsonObject();
                answer.addProperty("type", "action");
                answer.add("turn", message.get("turn"));
                answer.add("action", choose(message.getAsJsonObject("observation"),
                        message.getAsJsonArray("legal")));
                System.out.println(answer);
            }
        }
    }

    private static JsonElement choose(JsonObject seen, JsonArray legal) {
        JsonObject fireworks = seen.getAsJsonObject("fireworks");
        JsonArray own = hand(seen, seen.get("seat").getAsInt()).getAsJsonArray("knowledge");
        for (int i = 0; i < own.size(); i++) {
            if (mustFit(fireworks, own.get(i).getAsJsonObject())) {
                return action("play", i);
            }
        }
        if (seen.get("hint_tokens").getAsInt() > 0) {
            JsonObject hinted = hint(seen);
            if (hinted != null) {
                return hinted;
            }
        }
        JsonObject oldest = action("discard", 0);
        return legal.contains(oldest) ? oldest : legal.get(legal.size() - 1);
    }

    /**
     * Returns a hint about the next player's first playable card that it does not know fully, or
     * {@code null} if there is none.
     */
    private static JsonObject hint(JsonObject seen) {
        int seat = (seen.get("seat").getAsInt() + 1) % seen.getAsJsonArray("hands").size();
        JsonObject hand = hand(seen, seat);
        for (int i = 0; i < hand.getAsJsonArray("cards").size(); i++) {
            JsonElement card = hand.getAsJsonArray("cards").get(i);
            if (card.isJsonNull() || !fits(seen.getAsJsonObject("fireworks"),
                    card.getAsString().charAt(0), card.getAsString().charAt(1))) {
                continue;
            }
            JsonObject known = hand.getAsJsonArray("knowledge").get(i).getAsJsonObject();
            JsonObject hint = new JsonObject();
            hint.addProperty("type", "hint");
            hint.addProperty("to", seat);
            if (known.get("rank").isJsonNull()) {
                hint.addProperty("rank", card.getAsString().charAt(1) - '0');
                return hint;
            }
            if (known.get("color").isJsonNull()) {
                hint.addProperty("color", card.getAsString().substring(0, 1));
                return hint;
            }
        }
        return null;
    }

    private static JsonObject hand(JsonObject seen, int seat) {
        return seen.getAsJsonArray("hands").get(seat).getAsJsonObject();
    }

    private static boolean fits(JsonObject fireworks, char color, char rank) {
        return fireworks.get("" + color).getAsInt() + 1 == rank - '0';
    }

    private static boolean mustFit(JsonObject fireworks, JsonObject known) {
        for (char color : known.get("colors").getAsString().toCharArray()) {
            for (char rank : known.get("ranks").getAsString().toCharArray()) {
                if (!fits(fireworks, color, rank)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static JsonObject action(String type, int card) {
        JsonObject action = new JsonObject();
        action.addProperty("type", type);
        action.addProperty("card", card);
        return action;
    }
}
