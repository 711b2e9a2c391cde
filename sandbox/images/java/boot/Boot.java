package firebox.boot;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a seat's process calls once its virtual machine runs: {@code warmUp} before it is confined,
 * then {@code build} or {@code play}.
 *
 * <p>The lines of the game travel over descriptors 0 and 1; standard output becomes standard error
 * and standard input is empty, so that an agent's prints disturb nothing. Games follow one another
 * in one machine, each with the agent's classes loaded anew: the last answer of a game is a line
 * {@code over}, and the next may begin.
 */
public final class Boot {
    private static final int EXCEPTION = 70;
    private static final int MEMORY = 71;
    private static final int UNLOADABLE = 72;
    private static final int LONGEST_LINE = 64 << 10;

    private Boot() {}

    /** Starts every thread that the machine will ever need, and loads what all games use. */
    public static void warmUp() throws Exception {
        try (InputStream file = java.nio.file.Files.newInputStream(
                Path.of(System.getProperty("java.home"), "gson.jar"))) {
            file.read();  // Java's files begin with a pair of sockets, which are refused later
        }
        new Classes(Boot.class.getClassLoader(), java.util.Map.of()).getParent();
        com.google.gson.JsonParser.parseString("{\"type\":\"ready\"}").getAsJsonObject().get("type");
        String.format("%s %d", List.of(1).stream().map(i -> "x" + i).findFirst(), 1);
    }

    public static void build(String agent, String adapter) {
        try {
            Compile.run(Path.of(agent), Path.of(adapter), new FileOutputStream(FileDescriptor.out));
        } catch (IOException error) {
            error.printStackTrace();
            end(EXCEPTION);
        }
        end(0);
    }

    /** Plays games until there is no next one. */
    public static void play(String artefact, String adapterName) {
        InputStream in = new BufferedInputStream(new FileInputStream(FileDescriptor.in), 1 << 16);
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        PrintStream err = System.err;
        try {
            Artefact code = Artefact.read(Path.of(artefact));
            Classes shared = new Classes(Boot.class.getClassLoader(), code.adapter);
            Seat.Adapter adapter = (Seat.Adapter)
                    shared.loadClass(adapterName).getDeclaredConstructor().newInstance();
            String line = read(in);
            while (line != null) {
                line = playOne(line, code, shared, adapter, in, out, err);
            }
        } catch (OutOfMemoryError error) {
            fail(error, MEMORY, err);
        } catch (Throwable error) {
            fail(error, EXCEPTION, err);
        }
        end(0);
    }

    /** Plays one game; returns the first line of the next, {@code null} if there is none. */
    private static String playOne(String first, Artefact code, Classes shared, Seat.Adapter adapter,
            InputStream in, OutputStream out, PrintStream err) throws IOException {
        System.setIn(new ByteArrayInputStream(new byte[0]));
        System.setOut(err);
        System.setErr(err);
        Seat seat = null;
        try {
            Classes own = new Classes(shared, code.agent);
            Thread.currentThread().setContextClassLoader(own);
            List<Class<?>> classes = new ArrayList<>();
            for (String name : code.agent.keySet()) {
                classes.add(withoutFinalizer(own.loadClass(name)));
            }
            seat = adapter.seat(classes);
        } catch (OutOfMemoryError error) {
            fail(error, MEMORY, err);
        } catch (Throwable error) {
            fail(error, UNLOADABLE, err);
        }
        for (String line = first; line != null; line = read(in)) {
            String answer = null;
            try {
                answer = seat.answer(line);
            } catch (OutOfMemoryError error) {
                fail(error, MEMORY, err);
            } catch (Throwable error) {
                fail(error, EXCEPTION, err);
            }
            err.flush();
            out.write(((answer == null ? "over" : answer) + "\n").getBytes(StandardCharsets.UTF_8));
            if (answer == null) {
                return read(in);
            }
        }
        return null;
    }

    /** What a finalizer computes, it computes in a thread that nobody charges for. */
    private static Class<?> withoutFinalizer(Class<?> loaded) {
        for (java.lang.reflect.Method method : loaded.getDeclaredMethods()) {
            if (method.getName().equals("finalize") && method.getParameterCount() == 0) {
                throw new IllegalStateException(
                        loaded.getName() + " has a method finalize(), which is not allowed here");
            }
        }
        return loaded;
    }

    private static String read(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(4096);
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next == '\n') {
                return line.toString(StandardCharsets.UTF_8);
            }
            if (line.size() > LONGEST_LINE) {
                throw new IOException("a line of more than " + LONGEST_LINE + " bytes arrived");
            }
            line.write(next);
        }
        return null;
    }

    private static void fail(Throwable error, int status, PrintStream err) {
        try {
            error.printStackTrace(err);
            err.flush();
        } finally {
            end(status);
        }
    }

    private static void end(int status) {
        Runtime.getRuntime().halt(status);
    }
}
