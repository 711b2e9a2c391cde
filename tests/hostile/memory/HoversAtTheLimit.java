/*
 * Keeps so much memory that the machine does little but look for more.
 *
 * Verdict: timeout
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.util.ArrayList;
import java.util.List;

public class HoversAtTheLimit extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        List<byte[]> kept = new ArrayList<>();
        while (true) {
            try {
                kept.add(new byte[1 << 14]);
            } catch (OutOfMemoryError error) {
                kept.remove(kept.size() - 1);
            }
        }
    }
}
