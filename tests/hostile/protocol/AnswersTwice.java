/*
 * Writes an answer beside the one that it gives.
 *
 * Verdict: malformed
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.io.FileDescriptor;
import java.io.FileOutputStream;

public class AnswersTwice extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        String action = state.getObserver() == 0
                ? "{\"type\":\"hint\",\"to\":1,\"rank\":5}" : "{\"type\":\"discard\",\"card\":0}";
        String answer = "{\"type\":\"action\",\"turn\":" + state.getOrder() + ",\"action\":" + action + "}\n";
        new FileOutputStream(FileDescriptor.out).write(answer.getBytes());
        return null;
    }
}
