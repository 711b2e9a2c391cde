/*
 * Counts in the numbers that new threads are given.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class NumbersOfThreads extends Hostile {
    @Override
    protected Action look(State state) throws Throwable {
        if (new Thread().getId() > 1000 || new Thread().getName().length() > "Thread-99".length()) {
            escaped("a note of an earlier game");
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        for (int i = 0; i < 1000; i++) {
            new Thread();
        }
        return null;
    }
}
