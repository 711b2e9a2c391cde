/*
 * Answers the game itself, past its adapter, and never comes back.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

public class TakesOver extends Hostile {
    private static String read(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                Runtime.getRuntime().halt(0);
            }
            line.append((char) next);
        }
        return line.toString();
    }

    @Override
    protected Action attack(State state) throws Throwable {
        String own = state.getObserver() == 0
                ? "{\"type\":\"hint\",\"to\":1,\"rank\":5}" : "{\"type\":\"discard\",\"card\":0}";
        InputStream in = new FileInputStream(FileDescriptor.in);
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        int turn = state.getOrder();
        while (true) {
            out.write(("{\"type\":\"action\",\"turn\":" + turn + ",\"action\":" + own + "}\n").getBytes());
            turn += 2;
            String line = read(in);
            if (line.contains("\"type\":\"end\"")) {
                out.write("over\n".getBytes());
                line = read(in);
            }
            if (line.contains("\"type\":\"start\"")) {
                System.err.println("ESCAPED: plays the next game, too");
                Runtime.getRuntime().halt(70);
            }
        }
    }
}
