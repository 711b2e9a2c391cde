/*
 * Has a regular expression try everything.
 *
 * Verdict: timeout
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.util.regex.Pattern;

public class Backtracks extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        Pattern.matches("((x+)+)\\2y", "x".repeat(60));
        return null;
    }
}
