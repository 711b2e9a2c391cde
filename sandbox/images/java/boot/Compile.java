package firebox.boot;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
 * and column count from 1. Two kinds of files are left out, with a note: copies of the adapter's
 * own files, which a whole project contains; and files that do not compile, if the agent compiles
 * without them: a project's trainers and experiments may need libraries that only the course has.
 */
final class Compile {
    private static final int MAX_MESSAGES = 50;
    private static final int MAX_NAMES = 10;
    private static final byte[] NOTHING = new byte[0];
    private static final String NOT_USED = "not used: ";
    private static final String DUPLICATE = "compiler.err.duplicate.class";

    private final Path agent;
    private final Path adapter;
    private final List<JsonObject> complaints = new ArrayList<>();
    private final List<JsonObject> notes = new ArrayList<>();

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
        Stream.concat(complaints.stream(), notes.stream()).limit(MAX_MESSAGES)
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
        if (complaints.isEmpty()) {
            complain(why(compiled, chosen));
        }
        return complaints.isEmpty() ? compiled.packed(chosen) : NOTHING;
    }

    private void complain(String why) {
        if (!why.isEmpty()) {
            complaints.add(message("", 0, 0, why));
        }
    }

    /**
     * The reason why none of these classes plays; empty if one does, or if only a game can tell.
     */
    private static String why(Memory compiled, String chosen) {
        try {
            Memory.Loaded loaded = compiled.loaded();
            return loaded.adapter.complaint(chosen.isEmpty() ? loaded.classes.values()
                    : List.of(loaded.classes.get(chosen)));
        } catch (ReflectiveOperationException | LinkageError | TypeNotPresentException error) {
            return "";
        }
    }

    /**
     * The agent's files without copies of the adapter's: an upload of the course's whole project
     * contains its framework.
     */
    private List<Source> withoutCopies() throws IOException {
        List<Source> own = new ArrayList<>();
        Set<String> theirs = javaFiles(adapter, 1).stream().map(Compile::simpleName)
                .collect(Collectors.toSet());
        for (Source source : javaFiles(agent, Integer.MAX_VALUE)) {
            boolean isBeside = source.isOf(adapter.getFileName().toString());
            if (isBeside && theirs.contains(simpleName(source))) {
                notes.add(message(nameOf(source), 0, 0,
                        NOT_USED + "the framework's own file is"));
                continue;
            }
            own.add(source);
        }
        return own;
    }

    private static List<Source> javaFiles(Path folder, int depth) throws IOException {
        List<Path> found;
        try (Stream<Path> paths = Files.walk(folder, depth)) {
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

    /**
     * Compiles the sources, without those that have errors if the agent is among the rest. Returns
     * {@code null} if it is not, or if the rest leaves a choice: the complaints are then the errors
     * in all sources, after the question which of several agents plays.
     */
    private Memory compiled(List<Source> all) throws IOException {
        List<Diagnostic<? extends JavaFileObject>> first = new ArrayList<>();
        Memory memory = compiled(all, first);
        List<Source> own = new ArrayList<>(all);
        List<Diagnostic<? extends JavaFileObject>> errors = first;
        List<JsonObject> leftOut = new ArrayList<>();
        while (memory == null && leaveOut(errors, own, leftOut)) {
            errors = new ArrayList<>();
            memory = compiled(own, errors);
        }
        boolean isOpen = memory != null && !leftOut.isEmpty() && Choice.in(agent).isEmpty();
        boolean isLacking = isOpen && isPreferred(all, own, memory);
        String why = isOpen && !isLacking ? why(memory, "") : "";
        if (memory == null || isLacking || !why.isEmpty()) {
            complain(why);
            first.forEach(error -> complaints.add(message(error, "")));
            return null;
        }
        notes.addAll(leftOut);
        return memory;
    }

    /** Removes the files with errors and notes why. False if none can be removed. */
    private boolean leaveOut(List<Diagnostic<? extends JavaFileObject>> errors, List<Source> own,
            List<JsonObject> leftOut) {
        Set<String> broken = errors.stream().map(error -> nameOf(error.getSource()))
                .collect(Collectors.toSet());
        if (broken.isEmpty() || broken.size() >= own.size() || broken.contains("")
                || own.stream().anyMatch(
                        source -> broken.contains(nameOf(source)) && isChosen(source))) {
            return false;
        }
        Set<String> others = noteOtherVersions(errors, own, leftOut);
        if (broken.size() + others.size() >= own.size()) {
            return false;
        }
        own.removeIf(source -> broken.contains(nameOf(source)) || others.contains(nameOf(source)));
        for (Diagnostic<? extends JavaFileObject> error : errors) {
            if (broken.remove(nameOf(error.getSource()))) {
                leftOut.add(message(error, NOT_USED + "it does not compile, and the agent does"
                        + " not need it: "));
            }
        }
        return true;
    }

    /**
     * Notes the files that have another version of a class than the file of the same name in which
     * the compiler finds it for a second time. Returns their names. Nothing tells which version is
     * meant, so the agent has to do without either.
     */
    private Set<String> noteOtherVersions(List<Diagnostic<? extends JavaFileObject>> errors,
            List<Source> own, List<JsonObject> leftOut) {
        Set<String> twice = errors.stream().filter(error -> error.getCode().equals(DUPLICATE))
                .map(error -> nameOf(error.getSource())).collect(Collectors.toSet());
        List<String> others = new ArrayList<>();
        for (Source source : own) {
            if (!twice.contains(nameOf(source)) && own.stream().anyMatch(
                    second -> twice.contains(nameOf(second)) && areVersions(source, second))) {
                others.add(nameOf(source));
                leftOut.add(message(nameOf(source), 0, 0, NOT_USED
                        + "another file has its class, too, and the agent needs neither"));
            }
        }
        return Set.copyOf(others);
    }

    private static boolean areVersions(Source one, Source other) {
        return simpleName(one).equals(simpleName(other))
                && !one.getCharContent(true).equals(other.getCharContent(true));
    }

    /** True if the submission says that the class of this file plays. */
    private boolean isChosen(Source source) {
        return ("." + Choice.in(agent)).endsWith("." + simpleName(source));
    }

    /** True if a class that was left out would play instead of those that compile. */
    private static boolean isPreferred(List<Source> all, List<Source> own, Memory compiled) {
        try {
            Memory.Loaded loaded = compiled.loaded();
            return all.stream().filter(source -> !own.contains(source))
                    .anyMatch(source -> loaded.adapter.isPreferred(simpleName(source),
                            source.getCharContent(true), loaded.classes.values()));
        } catch (ReflectiveOperationException | LinkageError | TypeNotPresentException error) {
            return false;
        }
    }

    private static String simpleName(Source source) {
        String name = source.getName();
        return name.substring(name.lastIndexOf('/') + 1).replace(".java", "");
    }

    /**
     * Compiles these sources with the adapter's. Classes in the adapter's folder {@code on_demand},
     * by package, are compiled only if a source names one that none of these has.
     *
     * <p>Returns {@code null} if there are errors.
     */
    private Memory compiled(List<Source> own, List<Diagnostic<? extends JavaFileObject>> errors)
            throws IOException {
        List<Source> sources = javaFiles(adapter, 1);
        sources.addAll(own);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        Memory memory = new Memory(compiler.getStandardFileManager(
                found, Locale.ENGLISH, StandardCharsets.UTF_8), folder());
        List<String> options = List.of(
                "-proc:none", "-g", "-Xlint:none", "-nowarn", "-Xmaxerrs", "" + MAX_MESSAGES,
                "-XDshould-stop.ifError=FLOW",  // a syntax error hides no other file's errors
                "-classpath", System.getProperty("java.class.path"),
                "-sourcepath", adapter.resolve("on_demand").toString());
        boolean ok = compiler.getTask(null, memory, found, options, null, sources).call();
        found.getDiagnostics().stream()
                .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                .forEach(errors::add);
        return ok ? memory : null;
    }

    /** Refuses classes with names of Firebox's own: ours would be loaded instead. */
    private void refuseReserved(Map<String, String> classes) {
        classes.forEach((name, file) -> {
            if (Reach.isReserved(name)) {
                complaints.add(message(nameOf(file), 0, 0, name
                        + " is in a package that is Firebox's own: put it into another"));
            }
        });
    }

    /** The full name of the class that the submission says plays; empty if it does not say. */
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

    /** The first names of classes, as many as fit into a message. */
    private static String some(Set<String> classes) {
        List<String> own = classes.stream().filter(each -> each.indexOf('$') < 0).sorted()
                .collect(Collectors.toList());
        String first = own.stream().limit(MAX_NAMES).collect(Collectors.joining(", "));
        return own.size() > MAX_NAMES ? first + ", \u2026" : first;
    }

    private String nameOf(JavaFileObject source) {
        return source == null ? "" : nameOf(source.getName());
    }

    /**
     * A file's name as its author knows it. Such names are texts and no paths: the machine has no
     * locale, and makes no path of a name beyond ASCII.
     */
    private String nameOf(String file) {
        return file.startsWith(folder()) ? file.substring(folder().length()) : file;
    }

    /** The agent's folder, with a slash at the end. */
    private String folder() {
        return agent.toUri().getPath();
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
