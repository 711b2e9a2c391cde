package hanabAI;

/** The five colours. */
public enum Colour {
    BLUE, RED, GREEN, WHITE, YELLOW;

    @Override
    public String toString() {
        return name().charAt(0) + name().substring(1).toLowerCase(java.util.Locale.ROOT);
    }
}
