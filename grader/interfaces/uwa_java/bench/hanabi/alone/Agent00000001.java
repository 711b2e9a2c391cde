package agents;

import hanabAI.Agent;
import hanabAI.Card;
import hanabAI.IllegalActionException;
import hanabAI.State;
import java.util.Stack;

/** Plays games in this machine as the course's own loop does, and says how long that took. */
public class Agent00000001 extends Light {
    private static final int GAMES = 1000;

    public Agent00000001() throws IllegalActionException {
        long began = System.nanoTime();
        int turns = 0;
        for (int game = 0; game < GAMES; game++) {
            turns += play();
        }
        long us = (System.nanoTime() - began) / 1000;
        throw new IllegalStateException(
                "alone: " + GAMES + " games, " + turns + " turns, " + us + " us");
    }

    private static int play() throws IllegalActionException {
        Agent[] agents = {new Light(), new Light()};
        Stack<Card> deck = Card.shuffledDeck();
        State state = new State(new String[] {agents[0].toString(), agents[1].toString()}, deck);
        while (!state.gameOver()) {
            int seat = state.getNextPlayer();
            state = state.nextState(agents[seat].doAction(state.hideHand(seat)), deck);
        }
        return state.getOrder();
    }
}
