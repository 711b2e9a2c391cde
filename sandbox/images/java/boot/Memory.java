package firebox.boot;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;

/** Keeps compiled classes in memory, the agent's apart from the adapter's. */
final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
    /** The source file of each of the agent's classes, by class name. */
    final Map<String, String> origins = new LinkedHashMap<>();

    private final String agent;
    private final Map<String, ByteArrayOutputStream> own = new LinkedHashMap<>();
    private final Map<String, ByteArrayOutputStream> adapters = new LinkedHashMap<>();

    /** Of the classes in {@code agent}, a folder whose name ends in a slash. */
    Memory(JavaFileManager files, String agent) {
        super(files);
        this.agent = agent;
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
            Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
        String source = sibling == null ? "" : sibling.getName();
        boolean isOwn = source.startsWith(agent);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        (isOwn ? own : adapters).put(name, bytes);
        if (isOwn) {
            origins.put(name, source);
        }
        return new SimpleJavaFileObject(
                java.net.URI.create("memory:///" + name.replace('.', '/') + ".class"), kind) {
            @Override
            public OutputStream openOutputStream() {
                return bytes;
            }
        };
    }

    /** Loads the adapter and the agent's classes, without initialising the latter. */
    Loaded loaded() throws ReflectiveOperationException {
        Classes shared = new Classes(Memory.class.getClassLoader(), bytes(adapters));
        Classes agents = new Classes(shared, bytes(own));
        Seat.Adapter adapter = null;
        for (String name : adapters.keySet()) {
            Class<?> one = shared.loadClass(name);
            if (Seat.Adapter.class.isAssignableFrom(one)) {
                adapter = (Seat.Adapter) one.getDeclaredConstructor().newInstance();
            }
        }
        Map<String, Class<?>> classes = new LinkedHashMap<>();
        for (String name : own.keySet()) {
            classes.put(name, agents.loadClass(name));
        }
        return new Loaded(adapter, classes);
    }

    /** The compiled classes as a game loads them. */
    static final class Loaded {
        final Seat.Adapter adapter;
        final Map<String, Class<?>> classes;

        Loaded(Seat.Adapter adapter, Map<String, Class<?>> classes) {
            this.adapter = adapter;
            this.classes = classes;
        }
    }

    private static Map<String, byte[]> bytes(Map<String, ByteArrayOutputStream> classes) {
        Map<String, byte[]> bytes = new LinkedHashMap<>();
        classes.forEach((name, code) -> bytes.put(name, code.toByteArray()));
        return bytes;
    }

    /**
     * All classes as {@link Artefact} reads them; {@code chosen} is the class that plays, or empty.
     */
    byte[] packed(String chosen) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (Map<String, ByteArrayOutputStream> part : List.of(adapters, own)) {
            out.writeInt(part.size());
            for (Map.Entry<String, ByteArrayOutputStream> entry : part.entrySet()) {
                out.writeUTF(entry.getKey());
                out.writeInt(entry.getValue().size());
                entry.getValue().writeTo(out);
            }
        }
        out.writeUTF(chosen);
        Set<String> folders = folders();
        out.writeInt(folders.size());
        for (String folder : folders) {
            out.writeUTF(folder);
        }
        return bytes.toByteArray();
    }

    /**
     * The folders that have the agent's packages, and the {@code resources} beside them; last the
     * folder in which the program is run.
     */
    private Set<String> folders() {
        Set<String> folders = new LinkedHashSet<>();
        origins.forEach((name, file) -> {
            String folder = file.substring(0, file.lastIndexOf('/'));
            int end = name.lastIndexOf('.');
            String packages = end < 0 ? "" : "/" + name.substring(0, end).replace('.', '/');
            folders.add(folder.endsWith(packages)
                    ? folder.substring(0, folder.length() - packages.length()) : folder);
        });
        for (String folder : List.copyOf(folders)) {
            folders.add(folder.substring(0, folder.lastIndexOf('/')) + "/resources");
        }
        folders.add(".");
        return folders;
    }
}
