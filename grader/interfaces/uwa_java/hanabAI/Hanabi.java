package hanabAI;

import java.util.Stack;

/** One game among agents, as an agent's own main method may play it. Firebox's games are not these. */
public class Hanabi {
    private final Agent[] players;
    private final Stack<Card> deck = Card.shuffledDeck();
    private State state;

    /**
     * A game from a shuffled deck.
     *
     * @throws IllegalArgumentException unless there are two to five agents
     */
    public Hanabi(Agent[] agents) throws IllegalArgumentException {
        if (agents.length < 2 || agents.length > 5) {
            throw new IllegalArgumentException("A game has two to five players");
        }
        players = agents.clone();
        String[] names = new String[players.length];
        for (int i = 0; i < names.length; i++) {
            names[i] = players[i].toString();
        }
        state = new State(names, deck);
    }

    /** Plays to the end; the score, or -1 after an illegal action. */
    public int play() {
        return play(new StringBuffer());
    }

    /** The same, and writes every action and the last state to {@code log}. */
    public int play(StringBuffer log) {
        try {
            while (!state.gameOver()) {
                int player = state.getNextPlayer();
                Action action = players[player].doAction(state.hideHand(player));
                log.append(action).append('\n');
                state = state.nextState(action, deck);
            }
        } catch (IllegalActionException error) {
            log.append(error.getMessage()).append('\n');
            return -1;
        }
        log.append(state);
        return state.getScore();
    }

    /** What the audience of the fireworks says of a score. */
    public static String critique(int score) {
        if (score < 6) {
            return "They boo.";
        }
        String[] words = {"They clap a little.", "They are content.", "They like it.",
            "They will talk of it for weeks.", "They are speechless."};
        return words[Math.min((score - 6) / 5, words.length - 1)];
    }

    /** Nothing: there are no agents to play with. */
    public static void main(String[] arguments) {
        System.out.println("Write new Hanabi(agents).play() in a main method of your own.");
    }
}
