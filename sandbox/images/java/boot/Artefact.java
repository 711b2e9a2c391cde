package firebox.boot;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The build step's output: compiled classes by name, of the adapter and of the agent. */
final class Artefact {
    final Map<String, byte[]> adapter;
    final Map<String, byte[]> agent;
    /** The class that the submission says plays; empty if it does not say. */
    final String chosen;

    private Artefact(Map<String, byte[]> adapter, Map<String, byte[]> agent, String chosen) {
        this.adapter = adapter;
        this.agent = agent;
        this.chosen = chosen;
    }

    static Artefact read(Path path) throws IOException {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(path))) {
            byte[] all = in.readAllBytes();
            DataInputStream parts = new DataInputStream(new java.io.ByteArrayInputStream(all));
            return new Artefact(part(parts), part(parts), parts.readUTF());
        }
    }

    private static Map<String, byte[]> part(DataInputStream in) throws IOException {
        Map<String, byte[]> classes = new LinkedHashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            String name = in.readUTF();
            byte[] code = new byte[in.readInt()];
            in.readFully(code);
            classes.put(name, code);
        }
        return classes;
    }
}
