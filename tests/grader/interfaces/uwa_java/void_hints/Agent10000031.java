package agents;

import hanabAI.*;

/** Gives hints that touch nothing, of any value, and reads the value that the seat before named. */
public class Agent10000031 implements Agent {
    private static final int[] VALUES = {0, 6, -1, 99, 1000};

    @Override
    public Action doAction(State s) {
        try {
            int me = s.getNextPlayer();
            int next = (me + 1) % s.getPlayers().length;
            Action last = s.getPreviousAction();
            if (last != null && last.getType() == ActionType.HINT_VALUE) {
                int sent = VALUES[(s.getOrder() - 1) % VALUES.length];
                if (last.getValue() != Math.min(sent, 99)) {
                    throw new IllegalStateException(last + " after " + sent);
                }
            }
            if (s.getHintTokens() == 0) {
                return new Action(me, s.getName(me), ActionType.DISCARD, 0);
            }
            int value = VALUES[s.getOrder() % VALUES.length];
            boolean[] cards = new boolean[s.getHand(next).length];
            for (int i = 0; value == -1 && i < cards.length; i++) {
                cards[i] = s.getHand(next)[i] == null;
            }
            return new Action(me, s.getName(me), ActionType.HINT_VALUE, next, cards, value);
        } catch (IllegalActionException e) {
            throw new RuntimeException(e);
        }
    }
}
