package firebox.boot;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.Security;
import java.text.NumberFormat;
import java.text.SimpleDateFormat;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.Inflater;

/**
 * What a seat's process calls once its virtual machine runs: {@code warmUp} before it is confined,
 * then {@code build} or {@code play}.
 *
 * <p>The lines of the game travel over descriptors 0 and 1; standard output becomes standard error
 * and standard input is empty, so that an agent's prints disturb nothing. One machine can play
 * several games, each with the agent's classes loaded again: a game's last answer is a line {@code
 * over}, and then the next may begin. {@code isReusable} decides before the agent's classes are
 * loaded.
 */
public final class Boot {
    private static final int EXCEPTION = 70;
    private static final int MEMORY = 71;
    private static final int UNLOADABLE = 72;
    private static final int MAX_LINE_BYTES = 64 << 10;

    private Boot() {}

    private static final Pattern OURS = Pattern.compile("^firebox[.]boot[.]|[.]FireboxAdapter");

    private static final FileOutputStream STDERR = new FileOutputStream(FileDescriptor.err);

    private static Artefact code;
    private static Properties properties;
    private static Locale locale;
    private static TimeZone zone;

    /**
     * Starts every thread and opens every file that the machine will need: games can do neither.
     * {@code artefact} is the path of the build's output, or empty before a build; {@code seed} is
     * hexadecimal and secret.
     */
    public static void warmUp(String seed, String artefact) throws Exception {
        Security.insertProviderAt(SeededRandom.provider(seed), 1);
        new SecureRandom().nextInt();
        Counters.find(seed);
        UUID.randomUUID();
        new Inflater().end();
        LocalDateTime.of(2000, 1, 1, 0, 0).atZone(ZoneId.of("Australia/Perth")).toInstant();
        new SimpleDateFormat("EEEE d MMMM yyyy HH:mm:ss z", Locale.ENGLISH).format(new Date(0));
        DateTimeFormatter.ISO_ZONED_DATE_TIME.format(Instant.EPOCH.atZone(ZoneOffset.UTC));
        NumberFormat.getInstance().format(1.5);
        Pattern.compile("\\p{L}+").matcher("a").matches();
        BitSet.valueOf(new long[] {1}).stream().boxed().collect(Collectors.toList());
        if (!artefact.isEmpty()) {
            code = Artefact.read(Path.of(artefact));
        }
        properties = (Properties) System.getProperties().clone();
        locale = Locale.getDefault();
        zone = TimeZone.getDefault();
        try (InputStream file = java.nio.file.Files.newInputStream(
                Path.of(System.getProperty("java.home"), "gson.jar"))) {
            file.read();  // the first file that Java reads opens a pair of sockets, refused later
        }
        new Classes(Boot.class.getClassLoader(), java.util.Map.of()).getParent();
        com.google.gson.JsonParser.parseString("{\"type\":\"ready\"}").getAsJsonObject().get("type");
        String.format("%s %d", List.of(1).stream().map(i -> "x" + i).findFirst(), 1);
    }

    /** True if one machine may play several games with this agent. */
    public static boolean isReusable() throws IOException {
        return code != null && Reach.isNarrow(code);
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

    /** Plays games until the input ends. */
    public static void play(String adapterName) {
        InputStream in = new BufferedInputStream(new FileInputStream(FileDescriptor.in), 1 << 16);
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        PrintStream err = unclosable();
        Object lock = new Object();
        synchronized (lock) {
            play(adapterName, in, out, err, lock);
        }
        end(0);
    }

    private static void play(String adapterName, InputStream in, OutputStream out, PrintStream err,
            Object lock) {
        try {
            FinalizerThread.block(lock);
            Classes shared = new Classes(Boot.class.getClassLoader(), code.adapter);
            Seat.Adapter adapter = (Seat.Adapter)
                    shared.loadClass(adapterName).getDeclaredConstructor().newInstance();
            String line = read(in);
            while (line != null) {
                line = playOne(line, shared, adapter, in, out, err);
            }
        } catch (OutOfMemoryError error) {
            fail(error, MEMORY, err);
        } catch (Throwable error) {
            fail(error, EXCEPTION, err);
        }
    }

    /** Plays one game; returns the first line of the next, {@code null} if there is none. */
    private static String playOne(String first, Classes shared, Seat.Adapter adapter,
            InputStream in, OutputStream out, PrintStream err) throws IOException {
        PrintStream said = resetMachine();
        Seat seat = null;
        try {
            Classes own = new Classes(shared, code.agent, code.folders);
            Thread.currentThread().setContextClassLoader(own);
            List<Class<?>> classes = new ArrayList<>();
            for (String name : code.agent.keySet()) {
                Class<?> loaded = withoutFinalizer(own.loadClass(name));
                if (code.chosen.isEmpty() || code.chosen.equals(name)) {
                    classes.add(loaded);
                }
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
            said.flush();
            out.write(((answer == null ? "over" : answer) + "\n").getBytes(StandardCharsets.UTF_8));
            if (answer == null) {
                return read(in);
            }
        }
        return null;
    }

    /**
     * Resets what a program can set for the whole machine. Returns the stream that it prints to.
     */
    private static PrintStream resetMachine() {
        PrintStream said = unclosable();
        System.setIn(new ByteArrayInputStream(new byte[0]));
        System.setOut(said);
        System.setErr(said);
        System.setProperties((Properties) properties.clone());
        Locale.setDefault(locale);
        TimeZone.setDefault(zone);
        Thread.setDefaultUncaughtExceptionHandler(null);
        Thread.currentThread().setUncaughtExceptionHandler(null);
        Thread.currentThread().setName("agent");
        Thread.interrupted();
        Counters.reseed();
        return said;
    }

    /** A stream to standard error; closing it leaves standard error open. */
    private static PrintStream unclosable() {
        OutputStream stays = new FilterOutputStream(STDERR) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                STDERR.write(bytes, offset, length);
            }

            @Override
            public void close() {
                // The next game writes to the same descriptor.
            }
        };
        return new PrintStream(new BufferedOutputStream(stays), true, StandardCharsets.UTF_8);
    }

    /** Refuses a finalizer, since it would never run: see {@link FinalizerThread}. */
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
            if (line.size() > MAX_LINE_BYTES) {
                throw new IOException("a line of more than " + MAX_LINE_BYTES + " bytes arrived");
            }
            line.write(next);
        }
        return null;
    }

    /** Prints the error with the agent's own stack frames, and once more as the last line. */
    private static void fail(Throwable error, int status, PrintStream err) {
        try {
            Throwable each = error;
            for (int depth = 0; each != null && depth < 20; depth++, each = each.getCause()) {
                each.setStackTrace(Arrays.stream(each.getStackTrace())
                        .takeWhile(frame -> !OURS.matcher(frame.getClassName()).find())
                        .toArray(StackTraceElement[]::new));
            }
            error.printStackTrace(err);
            err.println(error.toString().replace('\n', ' '));
            err.flush();
        } finally {
            end(status);
        }
    }

    private static void end(int status) {
        Runtime.getRuntime().halt(status);
    }
}
