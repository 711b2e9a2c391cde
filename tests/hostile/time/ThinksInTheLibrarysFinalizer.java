/*
 * Thinks on others' turns, in a method that a finalizer of the library calls.
 *
 * Limits: turn_seconds=3.0 turn_wall_seconds=6.0
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import javax.imageio.stream.ImageInputStreamImpl;

public class ThinksInTheLibrarysFinalizer extends Hostile {
    private static volatile boolean thought;

    @Override
    protected Action look(State state) {
        if (thought) {
            escaped("a finalizer ran");
        }
        return null;
    }

    @Override
    public String toString() {
        if (thought) {
            escaped("a finalizer ran");
        }
        return "Thinker";
    }

    private static final class Thought extends ImageInputStreamImpl {
        @Override
        public void close() {
            thought = true;
            System.err.println("ESCAPED: thinks in a finalizer");
            Runtime.getRuntime().halt(70);
        }

        @Override
        public int read() {
            return -1;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            return -1;
        }
    }

    @Override
    protected Action attack(State state) throws Throwable {
        for (int i = 0; i < 20; i++) {
            new Thought();
            System.gc();
            Thread.sleep(2);
        }
        return null;
    }
}
