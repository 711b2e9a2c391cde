package agents;

import hanabAI.*;
import java.util.Arrays;
import java.util.Stack;

/** The simulator: plays whole games of its own in its head, with decks that it shuffled itself. */
public class Agent10000003 implements Agent {
    private boolean done;

    public String toString() {
        return "Simulator";
    }

    public Action doAction(State s) {
        try {
            if (!done) {
                done = true;
                for (int players = 2; players <= 5; players++) {
                    simulate(players);
                }
                emptySlot();
                copies(s);
            }
            State observed = s;
            Check.fails(IllegalActionException.class,
                    () -> observed.nextState(Check.move(observed, "x"), Card.shuffledDeck()));
            Action action = Check.move(s, toString());
            Check.that(s.legalAction(action), "a legal action: " + action);
            return action;
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }

    private static void simulate(int players) throws IllegalActionException {
        String[] names = {"A", "B", "C", "D", "E"};
        String[] own = Arrays.copyOf(names, players);
        Stack<Card> deck = players % 2 == 0 ? Card.shuffledDeck() : sortedDeck();
        State state = new State(own, deck);
        int size = players < 4 ? 5 : 4;
        Check.that(deck.size() == 50 - players * size, "dealt from the deck");
        Check.that(state.getObserver() == -1 && state.getHand(0)[size - 1] != null, "all open");
        own[0] = "changed";
        Check.that(state.getName(0).equals("A") && state.getPlayers()[0].equals("A"), "names");
        while (!state.gameOver()) {
            boolean wasEmpty = deck.isEmpty();
            State next = state.nextState(Check.move(state, "x"), deck);
            boolean ranOut = !wasEmpty && deck.isEmpty();
            Check.that(!ranOut || next.getFinalActionIndex() == state.getOrder() + players,
                    "everybody once more");
            Check.that(state.getOrder() == next.getOrder() - 1, "the state before is unchanged");
            Check.that(next.getPreviousState() == state, "the chain goes on");
            Check.that(next.getObserver() == -1, "nothing is hidden");
            int actor = state.getNextPlayer();
            boolean empty = Arrays.asList(next.getHand(actor)).contains(null);
            boolean moved = next.previousCardPlayed() != null;
            Check.that(empty == (moved && wasEmpty), "a slot is empty once the deck is");
            if (!next.gameOver()) {
                hide(next);
            }
            state = next;
        }
        Check.that(state.getNextPlayer() == -1, "nobody is next");
        Check.that(state.getFuseTokens() > 0 || state.getScore() == 0, "three strikes are nothing");
        State over = state;
        Check.fails(IllegalActionException.class,
                () -> over.nextState(new Action(0, "x", ActionType.PLAY, 0), deck));
    }

    /** To discard from an empty slot gains a token, and that is all. */
    private static void emptySlot() throws IllegalActionException {
        Stack<Card> deck = sortedDeck();
        State state = new State(new String[] {"A", "B"}, deck);
        deck.clear();
        state = state.nextState(Check.value(state, "A", 0), deck);
        state = state.nextState(Check.value(state, "B", 1), deck);
        state = state.nextState(new Action(0, "A", ActionType.DISCARD, 2), deck);
        state = state.nextState(Check.value(state, "B", 1), deck);
        Check.that(state.getHand(0)[2] == null, "an empty slot");
        State next = state.nextState(new Action(0, "A", ActionType.DISCARD, 2), deck);
        Check.that(next.getHintTokens() == state.getHintTokens() + 1, "gains a token");
        Check.that(next.getDiscards().peek() == null, "null is discarded");
        Check.that(next.previousCardPlayed() == null && next.getHand(0)[2] == null, "none moves");
        State before = state;
        Check.fails(NullPointerException.class,
                () -> before.nextState(new Action(0, "A", ActionType.PLAY, 2), deck));
    }

    /** A deck of one's own order: the first hand gets the last cards. */
    private static Stack<Card> sortedDeck() {
        Stack<Card> deck = new Stack<>();
        for (Card card : Card.getDeck()) {
            deck.push(card);
        }
        Check.that(deck.peek().equals(new Card(Colour.YELLOW, 5)), "the last card of a deck");
        return deck;
    }

    /** An observer's state has no successor; the one that it was made from has. */
    private static void hide(State state) throws IllegalActionException {
        int player = state.getNextPlayer();
        State hidden = state.hideHand(player);
        Check.that(hidden != state && state.getObserver() == -1, "another state is hidden");
        Check.that(hidden.getObserver() == player && hidden.getOrder() == state.getOrder(), "same");
        Check.that(!Arrays.stream(hidden.getHand(player)).anyMatch(c -> c != null), "hidden");
        int other = (player + 1) % state.getPlayers().length;
        Check.that(Arrays.equals(hidden.getHand(other), state.getHand(other)), "others are open");
        Check.fails(IllegalActionException.class,
                () -> hidden.nextState(Check.move(hidden, "x"), Card.shuffledDeck()));
    }

    private static void copies(State s) {
        State copy = (State) s.clone();
        Check.that(copy != s && copy.getOrder() == s.getOrder(), "a clone");
        Card[] hand = s.getHand((s.getNextPlayer() + 1) % s.getPlayers().length);
        hand[0] = null;
        s.getDiscards().push(new Card(Colour.RED, 1));
        s.getFirework(Colour.RED).push(new Card(Colour.RED, 1));
        Check.that(s.getHand((s.getNextPlayer() + 1) % s.getPlayers().length)[0] != null, "hands");
        Check.that(s.getDiscards().size() == copy.getDiscards().size(), "discards");
        Check.fails(IllegalActionException.class, () -> copy.hideHand(0));
    }
}
