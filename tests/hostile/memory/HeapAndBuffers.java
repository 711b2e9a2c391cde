/*
 * Takes all that it may have, in its heap and as much again outside.
 *
 * Limits: turn_seconds=5.0 turn_wall_seconds=10.0
 * Verdict: memory
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

public class HeapAndBuffers extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        List<Object> kept = new ArrayList<>();
        try {
            while (true) {
                kept.add(new long[1 << 17]);
            }
        } catch (OutOfMemoryError error) {
            kept.remove(kept.size() - 1);
            kept.remove(kept.size() - 1);
        }
        while (true) {
            kept.add(ByteBuffer.allocateDirect(1 << 20));
        }
    }
}
