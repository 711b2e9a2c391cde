/*
 * Catches what says that memory is over, gives it back and plays on.
 *
 * Limits: turn_seconds=3.0 turn_wall_seconds=6.0
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.util.ArrayList;
import java.util.List;

public class CatchesMemoryErrors extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        for (int i = 0; i < 3; i++) {
            List<byte[]> kept = new ArrayList<>();
            try {
                while (true) {
                    kept.add(new byte[1 << 22]);
                }
            } catch (OutOfMemoryError error) {
                kept = null;
            }
        }
        return null;
    }
}
