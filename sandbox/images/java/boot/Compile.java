package firebox.boot;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/**
 * The build step: compiles an agent's sources together with its adapter's, in memory.
 *
 * <p>Writes one line of JSON, {@code {"ok", "messages", "bytes"}}, and then that many bytes: the
 * classes as {@link Artefact} reads them. Messages name files relative to the agent's folder; line
 * and column count from 1. Copies of the adapter's own files in a submission, as a whole project
 * has them, are not compiled, and a message says so. Nor is what else lies in the adapter's package
 * and does not compile beside our version of it, unless it is an agent.
 */
final class Compile {
    private static final int MOST_MESSAGES = 50;
    private static final int MOST_NAMES = 10;
    private static final byte[] NOTHING = new byte[0];
    private static final String NOT_USED = "not used: ";
    /** What an agent's source has in it, though it be in that package. */
    private static final Pattern AGENT = Pattern.compile("\\bimplements\\s[^{]*\\bAgent\\b");

    private final Path agent;
    private final Path adapter;
    private final List<JsonObject> complaints = new ArrayList<>();
    private final List<JsonObject> notes = new ArrayList<>();
    /** Files that the agent may do without, as they are named in messages. */
    private final Set<String> dispensable = new HashSet<>();

    private Compile(Path agent, Path adapter) {
        this.agent = agent;
        this.adapter = adapter;
    }

    static void run(Path agent, Path adapter, OutputStream out) throws IOException {
        Compile compile = new Compile(agent, adapter);
        byte[] classes = compile.artefact();
        JsonObject report = new JsonObject();
        report.addProperty("ok", classes.length > 0);
        report.addProperty("bytes", classes.length);
        report.add("messages", compile.messages());
        out.write((report + "\n").getBytes(StandardCharsets.UTF_8));
        out.write(classes);
        out.flush();
    }

    private JsonArray messages() {
        notes.sort(Comparator.comparing(note -> note.get("file").getAsString()));
        JsonArray messages = new JsonArray();
        Stream.concat(complaints.stream(), notes.stream()).limit(MOST_MESSAGES)
                .forEach(messages::add);
        return messages;
    }

    private byte[] artefact() throws IOException {
        List<Source> own = withoutCopies();
        if (own.isEmpty()) {
            complaints.add(message("", 0, 0, "There is no .java file in the submission."));
            return NOTHING;
        }
        Memory compiled = compiled(own);
        if (compiled == null) {
            return NOTHING;
        }
        refuseReserved(compiled.origins);
        String chosen = chosen(compiled.origins.keySet());
        return complaints.isEmpty() ? compiled.packed(chosen) : NOTHING;
    }

    /**
     * The agent's files, but for those that stand for the adapter's: whoever hands in the whole
     * project of a course has its framework among the files.
     */
    private List<Source> withoutCopies() throws IOException {
        List<Source> own = new ArrayList<>();
        for (Source source : javaFiles(agent)) {
            boolean isBeside = source.isOf(adapter.getFileName().toString());
            if (isBeside && Files.exists(
                    adapter.resolve(Path.of(source.getName()).getFileName()))) {
                notes.add(message(nameOf(source), 0, 0,
                        NOT_USED + "the framework's own file is"));
                continue;
            }
            if (isBeside && !AGENT.matcher(source.getCharContent(true)).find()) {
                dispensable.add(nameOf(source));
            }
            own.add(source);
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

    /** What becomes of these sources, or of as many as are needed; {@code null} if they have errors. */
    private Memory compiled(List<Source> own) throws IOException {
        while (true) {
            List<Diagnostic<? extends JavaFileObject>> errors = new ArrayList<>();
            Memory memory = compiled(own, errors);
            if (memory != null) {
                return memory;
            }
            Set<String> broken = errors.stream().map(error -> nameOf(error.getSource()))
                    .collect(Collectors.toSet());
            boolean isNeeded = !dispensable.containsAll(broken) || broken.size() == own.size();
            if (broken.isEmpty() || isNeeded) {
                errors.forEach(error -> complaints.add(message(error, "")));
                return null;
            }
            own.removeIf(source -> broken.contains(nameOf(source)));
            for (Diagnostic<? extends JavaFileObject> error : errors) {
                if (broken.remove(nameOf(error.getSource()))) {
                    notes.add(message(error, NOT_USED + "it belongs to the framework's package,"
                            + " and does not compile with Firebox's: "));
                }
            }
        }
    }

    /** Compiles once. */
    private Memory compiled(List<Source> own, List<Diagnostic<? extends JavaFileObject>> errors)
            throws IOException {
        List<Source> sources = javaFiles(adapter);
        sources.addAll(own);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        Memory memory = new Memory(compiler.getStandardFileManager(
                found, Locale.ENGLISH, StandardCharsets.UTF_8), agent);
        List<String> options = List.of(
                "-proc:none", "-g", "-Xlint:none", "-nowarn", "-Xmaxerrs", "" + MOST_MESSAGES,
                "-classpath", System.getProperty("java.class.path"));
        boolean ok = compiler.getTask(null, memory, found, options, null, sources).call();
        found.getDiagnostics().stream()
                .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                .forEach(errors::add);
        return ok ? memory : null;
    }

    /** Classes with names of ours would never be loaded, but ours in their place. */
    private void refuseReserved(Map<String, Path> classes) {
        classes.forEach((name, file) -> {
            if (Reach.isReserved(name)) {
                complaints.add(message(agent.relativize(file).toString(), 0, 0, name
                        + " is in a package that is Firebox's own: put it into another"));
            }
        });
    }

    /** The full name of the class that the submission says is to play; empty if it says nothing. */
    private String chosen(Set<String> classes) {
        String name = Choice.in(agent);
        if (name.isEmpty()) {
            return "";
        }
        List<String> meant = Choice.among(classes, name);
        if (meant.size() == 1) {
            return meant.get(0);
        }
        String shown = name.substring(0, Math.min(name.length(), 80));
        complaints.add(message("", 0, 0, meant.isEmpty()
                ? "there is no class " + shown + ", which is to play; there are " + some(classes)
                : "there are several classes " + shown + ": " + String.join(", ", meant)));
        return "";
    }

    /** The names of classes that somebody may have meant, as many as fit into a message. */
    private static String some(Set<String> classes) {
        List<String> own = classes.stream().filter(each -> each.indexOf('$') < 0).sorted()
                .collect(Collectors.toList());
        String first = own.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
        return own.size() > MOST_NAMES ? first + ", \u2026" : first;
    }

    private String nameOf(JavaFileObject source) {
        return source == null ? "" : agent.relativize(Path.of(source.getName())).toString();
    }

    private JsonObject message(Diagnostic<? extends JavaFileObject> error, String before) {
        return message(nameOf(error.getSource()), error.getLineNumber(), error.getColumnNumber(),
                before + error.getMessage(Locale.ENGLISH));
    }

    private static JsonObject message(String file, long line, long column, String text) {
        JsonObject message = new JsonObject();
        message.addProperty("file", file);
        message.addProperty("line", Math.max(line, 0));
        message.addProperty("column", Math.max(column, 0));
        message.addProperty("text", text);
        return message;
    }
}
