package firebox.boot;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The build step's output: compiled classes by name, of the adapter and of the agent. */
final class Artefact {
    final Map<String, byte[]> adapter;
    final Map<String, byte[]> agent;
    /** The class that the submission says plays; empty if it does not say. */
    final String chosen;
    /** The folders of the agent's packages, in which its resources are. */
    final List<String> folders;

    private Artefact(Map<String, byte[]> adapter, Map<String, byte[]> agent, String chosen,
            List<String> folders) {
        this.adapter = adapter;
        this.agent = agent;
        this.chosen = chosen;
        this.folders = folders;
    }

    static Artefact read(Path path) throws IOException {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(path))) {
            byte[] all = in.readAllBytes();
            DataInputStream parts = new DataInputStream(new java.io.ByteArrayInputStream(all));
            return new Artefact(part(parts), part(parts), parts.readUTF(), texts(parts));
        }
    }

    private static List<String> texts(DataInputStream in) throws IOException {
        List<String> texts = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            texts.add(in.readUTF());
        }
        return texts;
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
