package hanabAI;

import java.util.Stack;

/** What runs games in the project; nobody asks for it here. */
public class Hanabi {
  private Agent[] players;
  private State state;
  private Stack<Card> deck;

  public Hanabi(Agent[] agents) throws IllegalArgumentException {
    players = agents;
    String[] names = new String[agents.length];
    for (int i = 0; i < agents.length; i++) names[i] = players[i].toString();
    deck = Card.shuffledDeck();
    state = new State(names, deck);
  }

  public int play() {
    try {
      while (!state.gameOver()) {
        int p = state.getNextPlayer();
        state = state.nextState(players[p].doAction(state.hideHand(p)), deck);
      }
      return state.getScore();
    } catch (IllegalActionException e) {
      e.printStackTrace();
      return -1;
    }
  }

  public static void main(String[] args) {
    Agent[] agents = {new agents.BasicAgent(), new agents.BasicAgent()};
    System.out.println(new Hanabi(agents).play());
  }
}
