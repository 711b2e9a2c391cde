/*
 * Closes the descriptor that its answers go to.
 *
 * Verdict: crash
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.io.FileDescriptor;
import java.io.FileOutputStream;

public class ClosesTheGame extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        new FileOutputStream(FileDescriptor.out).close();
        return null;
    }
}
