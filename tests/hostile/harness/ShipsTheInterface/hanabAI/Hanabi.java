package hanabAI;

/** A main program of a course's, which uses what only the course has. */
public class Hanabi {
    public static void main(String[] arguments) throws Exception {
        new hanabAI.DeckOfTheCourse().play(new State());
    }
}
