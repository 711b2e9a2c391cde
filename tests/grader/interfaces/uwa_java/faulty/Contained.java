package agents;

import hanabAI.*;
import java.io.*;
import java.lang.reflect.Field;
import java.net.*;
import java.nio.file.*;

/** Reaches for files, the network, standard input and output, and the adapter; gets nothing. */
public class Contained implements Agent {
    public String toString() {
        return "Contained";
    }

    public Action doAction(State s) {
        Check.fails(IOException.class, () -> new FileReader("/etc/passwd"));
        Check.fails(IOException.class, () -> new FileWriter("/tmp/agent"));
        Check.fails(IOException.class, () -> Files.list(Path.of("/")));
        Check.fails(IOException.class, () -> Files.readAllBytes(Path.of("/build/artefact")));
        Check.fails(IOException.class, () -> new Socket("127.0.0.1", 6379));
        Check.fails(IOException.class, () -> new ServerSocket(0));
        Check.fails(Exception.class, () -> InetAddress.getByName("example.org"));
        Check.that(!new File("/usr").exists() && !new File("../usr").exists(), "nothing is there");
        try {
            Check.that(System.in.read() == -1, "standard input is empty");
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
        System.out.println("{\"type\":\"action\",\"turn\":0,\"action\":{\"type\":\"play\",\"card\":9}}");
        System.out.flush();
        hidden();
        try {
            return Check.move(s, toString());
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }

    /** The partner's cards are known, one's own are nowhere to be found. */
    private static void hidden() {
        Check.fails(Exception.class, () -> {
            Field field = Thread.class.getDeclaredField("threadLocals");
            field.setAccessible(true);
        });
        Check.fails(Exception.class, () -> Class.forName("sun.misc.Unsafe"));
    }
}
