package firebox.boot;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The build step: compiles an agent's sources together with its adapter's, in memory.
 *
 * <p>Writes one line of JSON, {@code {"ok", "messages", "bytes"}}, and then that many bytes: the
 * classes as {@link Artefact} reads them. Messages name files relative to the agent's folder; line
 * and column count from 1. Copies of the adapter's own files in a submission, as a whole project
 * has them, are not compiled, and a message says so.
 */
final class Compile {
    private static final int MOST_MESSAGES = 50;
    /** What an agent's source has in it, though it be in that package. */
    private static final Pattern AGENT = Pattern.compile("\\bimplements\\s[^{]*\\bAgent\\b");

    private Compile() {}

    static void run(Path agent, Path adapter, OutputStream out) throws IOException {
        List<Source> sources = javaFiles(adapter);
        JsonArray messages = new JsonArray();
        JsonArray notes = new JsonArray();
        List<Source> own = withoutCopies(agent, adapter, notes);
        sources.addAll(own);
        byte[] classes = new byte[0];
        if (own.isEmpty()) {
            messages.add(message("", 0, 0, "There is no .java file in the submission."));
        } else {
            classes = compile(agent, sources, messages);
        }
        notes.forEach(note -> add(note, messages));
        JsonObject report = new JsonObject();
        report.addProperty("ok", classes.length > 0);
        report.addProperty("bytes", classes.length);
        report.add("messages", messages);
        out.write((report + "\n").getBytes(StandardCharsets.UTF_8));
        out.write(classes);
        out.flush();
    }

    /**
     * The agent's files, but what is in the adapter's package and no agent: whoever hands in the
     * whole project of a course has its framework among the files.
     */
    private static List<Source> withoutCopies(Path agent, Path adapter, JsonArray notes)
            throws IOException {
        List<Source> own = new ArrayList<>();
        for (Source source : javaFiles(agent)) {
            boolean isTaken = Files.exists(
                    adapter.resolve(Path.of(source.getName()).getFileName()));
            if (source.isOf(adapter.getFileName().toString())
                    && (isTaken || !AGENT.matcher(source.getCharContent(true)).find())) {
                notes.add(message(nameOf(source, agent), 0, 0, isTaken
                        ? "not used: the framework's own file is"
                        : "not used: it belongs to the framework's package, and is no agent"));
            } else {
                own.add(source);
            }
        }
        return own;
    }

    private static List<Source> javaFiles(Path folder) throws IOException {
        List<Path> found;
        try (Stream<Path> paths = Files.walk(folder, new FileVisitOption[0])) {
            found = paths.filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> !path.getFileName().toString().startsWith("."))
                    .filter(path -> !path.toString().contains("/__MACOSX/"))
                    .sorted()
                    .collect(Collectors.toList());
        }
        List<Source> sources = new ArrayList<>();
        for (Path path : found) {
            sources.add(new Source(path));
        }
        return sources;
    }

    private static byte[] compile(Path agent, List<Source> sources, JsonArray messages)
            throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        StandardJavaFileManager files =
                compiler.getStandardFileManager(found, Locale.ENGLISH, StandardCharsets.UTF_8);
        Memory memory = new Memory(files, agent);
        List<String> options = List.of(
                "-proc:none", "-g", "-Xlint:none", "-nowarn", "-Xmaxerrs", "" + MOST_MESSAGES,
                "-classpath", System.getProperty("java.class.path"));
        boolean ok = compiler.getTask(null, memory, found, options, null, sources)
                .call();
        for (Diagnostic<? extends JavaFileObject> one : found.getDiagnostics()) {
            if (one.getKind() == Diagnostic.Kind.ERROR) {
                add(message(nameOf(one.getSource(), agent), one.getLineNumber(),
                        one.getColumnNumber(), one.getMessage(Locale.ENGLISH)), messages);
            }
        }
        return ok ? memory.packed() : new byte[0];
    }

    private static void add(JsonElement message, JsonArray messages) {
        if (messages.size() < MOST_MESSAGES) {
            messages.add(message);
        }
    }

    private static String nameOf(JavaFileObject source, Path agent) {
        return source == null ? "" : agent.relativize(Path.of(source.getName())).toString();
    }

    private static JsonObject message(String file, long line, long column, String text) {
        JsonObject message = new JsonObject();
        message.addProperty("file", file);
        message.addProperty("line", Math.max(line, 0));
        message.addProperty("column", Math.max(column, 0));
        message.addProperty("text", text);
        return message;
    }

    /** Keeps what is compiled, apart by whose source it comes from. */
    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Path agent;
        private final Map<String, ByteArrayOutputStream> own = new LinkedHashMap<>();
        private final Map<String, ByteArrayOutputStream> adapters = new LinkedHashMap<>();

        Memory(JavaFileManager files, Path agent) {
            super(files);
            this.agent = agent;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            boolean isOwn = sibling != null && Path.of(sibling.getName()).startsWith(agent);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            (isOwn ? own : adapters).put(name, bytes);
            return new SimpleJavaFileObject(
                    java.net.URI.create("memory:///" + name.replace('.', '/') + ".class"), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return bytes;
                }
            };
        }

        byte[] packed() throws IOException {
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
            return bytes.toByteArray();
        }
    }
}
