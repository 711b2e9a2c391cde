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

/** The class that plays, if a submission says so: {@code {"class": "Name"}} in a file. */
final class Choice {
    static final String FILE = "firebox.json";
    private static final int MAX_BYTES = 4096;

    private Choice() {}

    /** The name that the submission gives; empty if the file is missing or malformed. */
    static String in(Path agent) {
        try (InputStream file = Files.newInputStream(agent.resolve(FILE))) {
            String text = new String(file.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
            JsonElement all = JsonParser.parseString(text);
            JsonElement name = all.isJsonObject() ? all.getAsJsonObject().get("class") : null;
            return name != null && name.isJsonPrimitive() && name.getAsJsonPrimitive().isString()
                    ? name.getAsString() : "";
        } catch (IOException | JsonParseException error) {
            return "";
        }
    }

    /**
     * The classes that a name can mean: the one of that full name, else all of that simple name.
     */
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
