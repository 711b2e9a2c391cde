package agents;

import hanabAI.*;

/** Gives hints that name no colour, and expects to read that of the seat before. */
public class Agent10000032 implements Agent {
    @Override
    public Action doAction(State s) {
        try {
            int me = s.getNextPlayer();
            int next = (me + 1) % s.getPlayers().length;
            Action last = s.getPreviousAction();
            if (last != null && last.getType() == ActionType.HINT_COLOUR && last.getColour() != null) {
                throw new IllegalStateException(String.valueOf(last));
            }
            if (s.getHintTokens() == 0) {
                return new Action(me, s.getName(me), ActionType.DISCARD, 0);
            }
            boolean[] cards = new boolean[s.getHand(next).length];
            for (int i = 0; i < cards.length; i++) {
                cards[i] = s.getHand(next)[i] == null;
            }
            return new Action(me, s.getName(me), ActionType.HINT_COLOUR, next, cards, (Colour) null);
        } catch (IllegalActionException e) {
            throw new RuntimeException(e);
        }
    }
}
