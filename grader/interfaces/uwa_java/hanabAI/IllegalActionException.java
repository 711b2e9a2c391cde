package hanabAI;

/** An action that the rules refuse, or a question that an action of its type has no answer to. */
public class IllegalActionException extends Exception {
    private static final long serialVersionUID = 1L;

    public IllegalActionException(String message) {
        super(message);
    }
}
