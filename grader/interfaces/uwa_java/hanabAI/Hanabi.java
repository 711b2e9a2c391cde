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

    /** The same, and appends the first state and the one after each action to {@code log}. */
    public int play(StringBuffer log) {
        try {
            log.append(state);
            while (!state.gameOver()) {
                int player = state.getNextPlayer();
                state = state.nextState(players[player].doAction(state.hideHand(player)), deck);
                log.append(state);
            }
        } catch (IllegalActionException error) {
            return -1;
        }
        return state.getScore();
    }

    /** What the audience of the fireworks says of a score, with a line break. */
    public static String critique(int score) {
        String[] words = {"They boo.", "They clap a little.", "They are content.", "They like it.",
            "They will talk of it for weeks.", "They are speechless."};
        int step = Math.min((score + 4) / 5 - 1, 4) + score / 25;
        return (score < 1 ? "They leave." : words[step]) + "\n";
    }

    /** Nothing: there are no agents to play with. */
    public static void main(String[] arguments) {
        System.out.println("Write new Hanabi(agents).play() in a main method of your own.");
    }
}
