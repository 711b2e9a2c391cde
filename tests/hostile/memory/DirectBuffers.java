/*
 * Takes memory outside of its heap.
 *
 * Limits: turn_seconds=3.0 turn_wall_seconds=6.0
 * Verdict: memory
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

public class DirectBuffers extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        List<ByteBuffer> kept = new ArrayList<>();
        while (true) {
            kept.add(ByteBuffer.allocateDirect(1 << 22));
        }
    }
}
