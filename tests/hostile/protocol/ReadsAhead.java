/*
 * Reads from the game, which says nothing before it has answered.
 *
 * Verdict: idle
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.io.FileDescriptor;
import java.io.FileInputStream;

public class ReadsAhead extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        new FileInputStream(FileDescriptor.in).read();
        return null;
    }
}
