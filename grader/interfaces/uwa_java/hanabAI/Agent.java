package hanabAI;

/** A player. A new one is made for every game and seat, by its constructor without parameters. */
public interface Agent {
    /** Its name, taken once when the game begins. */
    String toString();

    /** Its move; {@code state} hides its own cards. */
    Action doAction(State state);
}
