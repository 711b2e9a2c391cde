/*
 * Takes memory bit by bit and keeps it.
 *
 * Limits: turn_seconds=3.0 turn_wall_seconds=6.0
 * Verdict: memory
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.util.ArrayList;
import java.util.List;

public class LeaksSlowly extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        List<byte[]> kept = new ArrayList<>();
        while (true) {
            kept.add(new byte[1 << 16]);
        }
    }
}
