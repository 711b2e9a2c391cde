import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/**
 * An agent in Java that speaks the protocol itself, over standard input and output.
 *
 * <p>It takes the first legal action.
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

    /** Returns one of the legal actions; {@code seen} is everything that this seat may know. */
    private static JsonObject choose(JsonObject seen, JsonArray legal) {
        return legal.get(0).getAsJsonObject();
    }
}
