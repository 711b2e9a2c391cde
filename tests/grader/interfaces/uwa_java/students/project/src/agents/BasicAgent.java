package agents;

import hanabAI.*;

/** An example that lay beside it. */
public class BasicAgent implements Agent {
  public String toString() { return "Basic"; }
  public Action doAction(State s) {
    try {
      return new Action(s.getNextPlayer(), "Basic", ActionType.PLAY, 0);
    } catch (IllegalActionException e) { return null; }
  }
}
