/*
 * Has a name of many megabytes.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class NameWithoutEnd extends Hostile {
    @Override
    public String toString() {
        return "x".repeat(10 << 20);
    }
}
