package firebox.stdio;

import firebox.boot.Seat;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Lets a program with a method {@code main} play over its own standard input and output.
 *
 * <p>The first message of a game is answered by running the whole program, which reads that message
 * and all others by itself. No second thread is needed for that, and none could be started. Who
 * calls has read nothing beyond the first line: a referee waits for an answer before it goes on.
 * Where a program may have several lines before it answers, an empty line comes first, and is
 * answered here.
 */
public final class FireboxAdapter implements Seat.Adapter {
    @Override
    public Seat seat(Collection<Class<?>> classes) throws Exception {
        List<Method> found = mainMethods(classes);
        if (found.size() != 1) {
            throw new IllegalStateException(complaint(classes));
        }
        found.get(0).setAccessible(true);  // in a class that need not be public
        MethodHandle main = MethodHandles.lookup().unreflect(found.get(0));
        return line -> {
            play(main, line);
            return null;
        };
    }

    @Override
    public String complaint(Collection<Class<?>> classes) {
        List<Method> found = mainMethods(classes);
        if (found.isEmpty()) {
            return "there is no program: write a class Main with a method"
                    + " public static void main(String[] args)";
        }
        return found.size() == 1 ? "" : "there are several programs, " + found.stream()
                .map(each -> each.getDeclaringClass().getName()).sorted()
                .collect(Collectors.joining(", ")) + ": call the one to run Main";
    }

    @Override
    public boolean isPreferred(
            String name, CharSequence source, Collection<Class<?>> classes) {
        return name.equals("Main") && mainMethods(classes).stream()
                .noneMatch(each -> each.getDeclaringClass().getSimpleName().equals("Main"));
    }

    /** Returns only when the game is over: a program that ends before ends its process. */
    private static void play(MethodHandle main, String first) {
        PrintStream log = System.err;
        Lines in = new Lines(first);
        Answers out = new Answers(in, log);
        System.setIn(in);
        System.setOut(new PrintStream(
                new BufferedOutputStream(out, 1 << 13), true, StandardCharsets.UTF_8));
        try {
            if (first.isEmpty()) {
                out.write("ready\n".getBytes(StandardCharsets.US_ASCII));
            }
            main.invokeExact(new String[0]);
        } catch (Throwable error) {
            if (!in.ended || error instanceof VirtualMachineError) {
                FireboxAdapter.<RuntimeException>rethrow(error);
            }
            error.printStackTrace(log);  // the game is over: its result stands
        }
        System.out.flush();
        if (!in.ended) {
            log.flush();
            Runtime.getRuntime().halt(0);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable error) throws E {
        throw (E) error;
    }

    /** The program's: of several, that of the class called {@code Main}. */
    private static List<Method> mainMethods(Collection<Class<?>> classes) {
        List<Method> found = new ArrayList<>();
        for (Class<?> one : classes) {
            for (Method method : one.getDeclaredMethods()) {
                if (isMain(method)) {
                    found.add(method);
                }
            }
        }
        if (found.size() > 1) {
            List<Method> named = found.stream()
                    .filter(each -> each.getDeclaringClass().getSimpleName().equals("Main"))
                    .collect(Collectors.toList());
            return named.size() == 1 ? named : found;
        }
        return found;
    }

    private static boolean isMain(Method method) {
        int modifiers = method.getModifiers();
        return method.getName().equals("main") && Modifier.isPublic(modifiers)
                && Modifier.isStatic(modifiers) && method.getReturnType() == void.class
                && Arrays.equals(method.getParameterTypes(), new Class<?>[] {String[].class});
    }

    /** Standard input of one game: its lines, and after the last of them the end of the file. */
    private static final class Lines extends InputStream {
        private static final byte[] LAST = "{\"type\":\"end\"".getBytes(StandardCharsets.US_ASCII);

        private final InputStream pipe = new FileInputStream(FileDescriptor.in);
        private final byte[] chunk = new byte[1 << 16];
        private byte[] line;
        private int at;
        private boolean ended;

        Lines(String first) {
            line = (first.isEmpty() ? "" : first + "\n").getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public int read() throws IOException {
            return isThere() ? line[at++] & 0xFF : -1;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (!isThere()) {
                return -1;
            }
            int count = Math.min(length, line.length - at);
            System.arraycopy(line, at, bytes, offset, count);
            at += count;
            return count;
        }

        @Override
        public int available() {
            return line.length - at;
        }

        /** Whether there is a byte to read; waits for the next line if need be. */
        private boolean isThere() throws IOException {
            if (at < line.length) {
                return true;
            }
            if (ended) {
                return false;
            }
            line = nextLine();
            at = 0;
            ended = Arrays.equals(line, 0, Math.min(line.length, LAST.length), LAST, 0, LAST.length);
            return line.length > 0;
        }

        /** With its end; empty when the other side has closed. */
        private byte[] nextLine() throws IOException {
            ByteArrayOutputStream parts = new ByteArrayOutputStream(4096);
            for (int count = pipe.read(chunk); count > 0; count = pipe.read(chunk)) {
                parts.write(chunk, 0, count);
                if (chunk[count - 1] == '\n') {
                    break;
                }
            }
            return parts.toByteArray();
        }
    }

    /** Standard output of one game. What is printed after its end disturbs the next one no more. */
    private static final class Answers extends OutputStream {
        private final OutputStream pipe = new FileOutputStream(FileDescriptor.out);
        private final Lines in;
        private final PrintStream log;

        Answers(Lines in, PrintStream log) {
            this.in = in;
            this.log = log;
        }

        @Override
        public void write(int one) throws IOException {
            (in.ended ? log : pipe).write(one);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            (in.ended ? log : pipe).write(bytes, offset, length);
        }
    }
}
