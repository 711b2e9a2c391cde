package hanabAI;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Stack;

/**
 * The game between two actions. One that hides a hand is observed by the player who holds it; its
 * chain of previous states goes back to the deal.
 */
public class State implements Cloneable {
    private static final int MAX_HINTS = 8;
    private static final int FUSES = 3;

    private String[] players;
    private Card[][] hands;
    private Stack<Card> discards = new Stack<>();
    private Map<Colour, Stack<Card>> fireworks = new EnumMap<>(Colour.class);
    private int order;
    private int hints = MAX_HINTS;
    private int fuse = FUSES;
    private int observer = -1;
    private int nextPlayer;
    private int finalAction = -1;
    private Card lastCard;
    private Action previousAction;
    private State previousState;

    /**
     * Deals: with two or three players five cards each, else four, from the top of the deck.
     *
     * @throws IllegalArgumentException unless there are two to five players and fifty cards
     */
    public State(String[] players, Stack<Card> deck) throws IllegalArgumentException {
        this(players, new Card[players.length][players.length < 4 ? 5 : 4], -1);
        if (players.length < 2 || players.length > 5 || deck.size() != 50) {
            throw new IllegalArgumentException("Two to five players need fifty cards");
        }
        for (Card[] hand : hands) {
            for (int i = 0; i < hand.length; i++) {
                hand[i] = deck.pop();
            }
        }
    }

    State(String[] players, Card[][] hands, int observer) {
        this.players = players.clone();
        this.hands = hands;
        this.observer = observer;
        for (Colour colour : Colour.values()) {
            fireworks.put(colour, new Stack<>());
        }
    }

    /**
     * The state after an action, with the next card of the deck drawn. To discard from an empty slot
     * gains a token and discards {@code null}, as in the course; a game refuses it.
     *
     * @throws IllegalActionException if the action is illegal, the game over, or a hand hidden
     */
    public State nextState(Action action, Stack<Card> deck) throws IllegalActionException {
        if (!legalAction(action)) {
            throw new IllegalActionException("Invalid action!: " + action);
        }
        if (gameOver()) {
            throw new IllegalActionException("Game Over!");
        }
        if (observer >= 0) {
            throw new IllegalActionException("Next state unavailable!");
        }
        boolean moves = action.getType() == ActionType.PLAY
                || action.getType() == ActionType.DISCARD;
        Card card = moves ? hands[nextPlayer][action.getCard()] : null;
        Card drawn = moves && !deck.isEmpty() ? deck.pop() : null;
        return after(action, card, drawn, drawn != null && deck.isEmpty());
    }

    /** The state after a legal action that used {@code card}, replaced by {@code drawn}. */
    State after(Action action, Card card, Card drawn, boolean deckRanOut)
            throws IllegalActionException {
        State next = (State) clone();
        next.previousState = this;
        next.previousAction = action;
        next.lastCard = card;
        switch (action.getType()) {
            case PLAY:
                Stack<Card> firework = next.fireworks.get(card.getColour());
                if (firework.size() == card.getValue() - 1) {
                    firework.push(card);
                    if (card.getValue() == 5 && hints < MAX_HINTS) {
                        next.hints++;
                    }
                } else {
                    next.discards.push(card);
                    next.fuse--;
                }
                next.hands[nextPlayer][action.getCard()] = drawn;
                break;
            case DISCARD:
                next.discards.push(card);
                next.hints++;
                next.hands[nextPlayer][action.getCard()] = drawn;
                break;
            default:
                next.hints--;
        }
        if (deckRanOut) {
            next.finalAction = order + players.length;
        }
        next.order++;
        next.nextPlayer = (nextPlayer + 1) % players.length;
        return next;
    }

    /**
     * The same state with a player's hand hidden; that player is its observer.
     *
     * @throws IllegalActionException if a hand is hidden already, or there is no such player
     */
    public State hideHand(int player) throws IllegalActionException {
        if (observer >= 0 || player < 0 || player >= players.length) {
            throw new IllegalActionException("Hand cannot be hidden!");
        }
        State hidden = (State) clone();
        hidden.observer = player;
        return hidden;
    }

    /**
     * Whether the rules allow an action now. A hint must point at exactly the cards that fit.
     *
     * @throws IllegalActionException for no action, another player's in a state that one observes,
     *         or a discard while all hint tokens are there
     */
    public boolean legalAction(Action action) throws IllegalActionException {
        if (action == null || observer >= 0 && action.getPlayer() != observer) {
            throw new IllegalActionException("Only the observer's own actions can be tested");
        }
        if (action.getPlayer() != nextPlayer) {
            return false;
        }
        switch (action.getType()) {
            case PLAY:
                return isPosition(action.getCard());
            case DISCARD:
                if (hints == MAX_HINTS) {
                    throw new IllegalActionException(
                            "Nothing can be discarded while there are 8 hint tokens");
                }
                return isPosition(action.getCard());
            default:
                return hints > 0 && isTrue(action);
        }
    }

    private boolean isPosition(int position) {
        return position >= 0 && position < hands[nextPlayer].length;
    }

    private boolean isTrue(Action hint) throws IllegalActionException {
        int receiver = hint.getHintReceiver();
        if (receiver < 0 || receiver > players.length || receiver == nextPlayer) {
            return false;
        }
        return Arrays.equals(fitting(hint), hint.getHintedCards());
    }

    /**
     * Which of the receiver's cards a hint ought to point at. An empty slot has no colour and the
     * value -1: a hint that names these points at it.
     */
    boolean[] fitting(Action hint) throws IllegalActionException {
        int receiver = hint.getHintReceiver();
        boolean[] fitting = new boolean[hands[receiver].length];
        for (int i = 0; i < fitting.length; i++) {
            Card card = hands[receiver][i];
            fitting[i] = hint.getType() == ActionType.HINT_COLOUR
                    ? (card == null ? null : card.getColour()) == hint.getColour()
                    : (card == null ? -1 : card.getValue()) == hint.getValue();
        }
        return fitting;
    }

    public String[] getPlayers() {
        return players.clone();
    }

    public String getName(int player) {
        return players[player];
    }

    /** A copy; all {@code null} for the observer, otherwise {@code null} where a slot is empty. */
    public Card[] getHand(int player) {
        return player == observer ? new Card[hands[player].length] : hands[player].clone();
    }

    /** The state before the last action, as this one's observer sees it; {@code null} at the deal. */
    public State getPreviousState() {
        if (previousState != null) {
            previousState.observer = observer;
        } else if (FireboxLegacy.firstStateThrows()) {
            throw new NullPointerException("there is no state before the first");
        }
        return previousState;
    }

    /** The last action; {@code null} at the deal. */
    public Action getPreviousAction() {
        return previousAction;
    }

    /**
     * A player's last action.
     *
     * @throws ArrayIndexOutOfBoundsException if there is none yet
     */
    public Action getPreviousAction(int player) {
        if (player < 0 || player >= players.length) {
            throw new ArrayIndexOutOfBoundsException(player);
        }
        for (State state = this; state.previousAction != null; state = state.previousState) {
            if (state.previousAction.getPlayer() == player) {
                return state.previousAction;
            }
        }
        throw new ArrayIndexOutOfBoundsException("Player has not played yet");
    }

    /** The card that the last action played or discarded; {@code null} after a hint. */
    public Card previousCardPlayed() {
        return lastCard;
    }

    @SuppressWarnings("unchecked")
    public Stack<Card> getDiscards() {
        return (Stack<Card>) discards.clone();
    }

    /** A copy; the highest card is on top. */
    @SuppressWarnings("unchecked")
    public Stack<Card> getFirework(Colour colour) {
        return (Stack<Card>) fireworks.get(colour).clone();
    }

    public int getHintTokens() {
        return hints;
    }

    public int getFuseTokens() {
        return fuse;
    }

    /** Whose hand is hidden; -1 if nobody's. */
    public int getObserver() {
        return observer;
    }

    /** Whose turn it is; -1 when the game is over. */
    public int getNextPlayer() {
        return gameOver() ? -1 : nextPlayer;
    }

    /** How many actions there have been. */
    public int getOrder() {
        return order;
    }

    /** Number, from 0, of the last action that will be; -1 while there are cards to draw. */
    public int getFinalActionIndex() {
        return finalAction;
    }

    public int getScore() {
        if (fuse == 0) {
            return 0;
        }
        return fireworks.values().stream().mapToInt(Stack::size).sum();
    }

    public boolean gameOver() {
        return fuse == 0 || finalAction >= 0 && order > finalAction
                || fireworks.values().stream().allMatch(firework -> firework.size() == 5);
    }

    @Override
    @SuppressWarnings("unchecked")
    public Object clone() {
        try {
            State copy = (State) super.clone();
            copy.players = players.clone();
            copy.hands = new Card[hands.length][];
            for (int i = 0; i < hands.length; i++) {
                copy.hands[i] = hands[i].clone();
            }
            copy.discards = (Stack<Card>) discards.clone();
            copy.fireworks = new EnumMap<>(Colour.class);
            fireworks.forEach(
                    (colour, cards) -> copy.fireworks.put(colour, (Stack<Card>) cards.clone()));
            return copy;
        } catch (CloneNotSupportedException error) {
            throw new AssertionError(error);
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append("State: ").append(order).append("\nLast move: ").append(previousAction)
                .append("\nPlayers' hands:\n");
        for (int i = 0; i < players.length; i++) {
            text.append(players[i]).append(" (").append(i).append("): ");
            for (Card card : hands[i]) {
                text.append(i == observer ? "-         " : card + " ");
            }
            text.append('\n');
        }
        text.append("Fireworks:\n");
        fireworks.forEach((colour, cards) -> text.append(colour).append("  ")
                .append(cards.isEmpty() ? "-" : cards.peek()).append('\n'));
        return text.append("Hints: ").append(hints).append("\nFuse: ").append(fuse).append('\n')
                .toString();
    }
}
