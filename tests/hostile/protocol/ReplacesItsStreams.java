/*
 * Puts streams of its own in place of those that it has.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

public class ReplacesItsStreams extends Hostile {
    @Override
    protected Action look(State state) throws IOException {
        if (System.in.read() >= 0 || System.err == null) {
            escaped("streams of an earlier game");
        }
        System.out.flush();
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        System.setIn(new ByteArrayInputStream("over\n".repeat(9).getBytes()));
        System.setOut(new PrintStream(OutputStream.nullOutputStream()) {
            @Override
            public void flush() {
                escaped("somebody uses it");
            }
        });
        System.setErr(null);
        return null;
    }
}
