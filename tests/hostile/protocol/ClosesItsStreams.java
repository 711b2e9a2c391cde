/*
 * Closes everything that it can print to or read from.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class ClosesItsStreams extends Hostile {
    @Override
    protected Action look(State state) {
        System.err.println("still there");
        if (System.err.checkError()) {
            escaped("the streams of the next game are closed");
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        System.in.close();
        System.out.close();
        System.err.close();
        return null;
    }
}
