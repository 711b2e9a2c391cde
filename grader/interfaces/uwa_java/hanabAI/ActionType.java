package hanabAI;

/** What a player can do. */
public enum ActionType {
    PLAY, DISCARD, HINT_COLOUR, HINT_VALUE
}
