/*
 * Throws a message of many megabytes.
 *
 * Limits: turn_seconds=3.0 turn_wall_seconds=6.0
 * Verdict: crash
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class HugeException extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        throw new IllegalStateException("x".repeat(20 << 20));
    }
}
