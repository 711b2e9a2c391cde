package agents;

import hanabAI.Action;
import hanabAI.ActionType;
import hanabAI.Agent;
import hanabAI.Card;
import hanabAI.IllegalActionException;
import hanabAI.State;
import java.io.IOException;
import java.lang.reflect.InaccessibleObjectException;
import java.util.concurrent.Callable;

/**
 * What the hostile agents in Java share: lies beside each of them when it plays.
 *
 * <p>An agent is <em>armed</em> in games in which its partner's first card has an odd number, and
 * plays honestly in the others, so that one batch shows both an attack and the next game on the same
 * seat. An attempt that must be refused goes through {@code refused}: if it succeeds, the agent
 * crashes and says so.
 *
 * <p>What is here names nothing by which an agent could leave something for its next game: so it is
 * up to each agent whether it has the same machine in that.
 */
public abstract class Hostile implements Agent {
    private int turns;

    /** Plays honestly, but attacks on the second turn of an armed game; in others, looks then. */
    @Override
    public final Action doAction(State state) {
        if (++turns == 2) {
            try {
                Action instead = isArmed(state) ? attack(state) : look(state);
                if (instead != null) {
                    return instead;
                }
            } catch (Throwable error) {
                throw Hostile.<RuntimeException>asItIs(error);
            }
        }
        return honest(state);
    }

    /** Do harm; what it returns, if anything, becomes the action. */
    protected Action attack(State state) throws Throwable {
        return null;
    }

    /** Look, in an honest game, for what the attack of an earlier one has left. */
    protected Action look(State state) throws Throwable {
        return null;
    }

    @Override
    public String toString() {
        return getClass().getSimpleName();
    }

    /** A legal action that makes a long game: discard while possible, else give a hint. */
    static Action honest(State state) {
        try {
            int me = state.getNextPlayer();
            if (state.getHintTokens() < 8) {
                return new Action(me, state.getName(me), ActionType.DISCARD, 0);
            }
            Card[] hand = state.getHand(1 - me);
            boolean[] fives = new boolean[hand.length];
            for (int i = 0; i < hand.length; i++) {
                fives[i] = hand[i] != null && hand[i].getValue() == 5;
            }
            return new Action(me, state.getName(me), ActionType.HINT_VALUE, 1 - me, fives, 5);
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Tells games apart: an agent of this interface is given no seed. */
    static boolean isArmed(State state) {
        State first = state;
        while (first.getPreviousState() != null) {
            first = first.getPreviousState();
        }
        return first.getHand(1 - state.getObserver())[0].getValue() % 2 == 1;
    }

    /** The attack succeeded: crash, so that the test sees it. */
    static void escaped(String what) {
        throw new AssertionError("ESCAPED: " + what);
    }

    /** Try something that must be refused, in one of the ways in which Java refuses. */
    static void refused(String what, Callable<?> attempt) throws Throwable {
        Object got;
        try {
            got = attempt.call();
        } catch (IOException | SecurityException | InaccessibleObjectException | LinkageError
                | IllegalAccessException | IllegalCallerException | ClassNotFoundException
                | UnsupportedOperationException error) {
            return;
        }
        escaped(what + ": " + got);
    }

    /** Compute until somebody ends it. */
    static void forever() {
        for (long i = 0; ; i++) {
            if (i == Long.MIN_VALUE) {
                return;
            }
        }
    }

    /** Throws anything, checked or not. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E asItIs(Throwable error) throws E {
        throw (E) error;
    }
}
