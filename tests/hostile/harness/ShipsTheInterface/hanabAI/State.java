package hanabAI;

public class State {
    public static Card[] everything;
}
