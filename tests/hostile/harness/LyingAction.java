/*
 * Answers with an action that changes while it is looked at.
 *
 * Verdict: illegal
 */
package agents;

import hanabAI.Action;
import hanabAI.ActionType;
import hanabAI.State;

public class LyingAction extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        return new Action(state.getNextPlayer(), "x", ActionType.PLAY, 0) {
            private int asked;

            @Override
            public int getCard() {
                return asked++ == 0 ? 0 : 1 << 30;
            }
        };
    }
}
