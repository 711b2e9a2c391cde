package firebox.boot;

import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Which class is to play, where a submission says so: {@code {"class": "Name"}} in a file. */
final class Choice {
    static final String FILE = "firebox.json";
    private static final int MOST_BYTES = 4096;

    private Choice() {}

    /** The name as the submission has it; empty if it has none, or nothing that can be read. */
    static String in(Path agent) {
        try (InputStream file = Files.newInputStream(agent.resolve(FILE))) {
            String text = new String(file.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
            JsonElement all = JsonParser.parseString(text);
            JsonElement name = all.isJsonObject() ? all.getAsJsonObject().get("class") : null;
            return name != null && name.isJsonPrimitive() && name.getAsJsonPrimitive().isString()
                    ? name.getAsString() : "";
        } catch (IOException | JsonParseException error) {
            return "";
        }
    }

    /** The compiled classes that can be meant: that of the full name, else all of the simple one. */
    static List<String> among(Collection<String> classes, String name) {
        if (classes.contains(name)) {
            return List.of(name);
        }
        String end = "." + name.replace('$', '.');
        return classes.stream()
                .filter(each -> ("." + each.replace('$', '.')).endsWith(end))
                .sorted()
                .collect(Collectors.toList());
    }
}
