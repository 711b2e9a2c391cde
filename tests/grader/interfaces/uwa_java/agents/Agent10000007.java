package agents;

import hanabAI.*;
import java.util.Scanner;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** The dabbler: calls itself something else each time, and uses of Java what it finds. */
public class Agent10000007 implements Agent {
    private int named;
    private final Scanner scanner = new Scanner(System.in);
    private final long began = System.nanoTime();

    public String toString() {
        named++;
        return "Dabbler " + named;
    }

    public Action doAction(State s) {
        String name = s.getName(s.getObserver());
        Check.that(name.equals("Dabbler 1"), "the name is the first that it said: " + name);
        Check.that(!scanner.hasNext(), "nobody types anything");
        Check.that(System.nanoTime() >= began && System.currentTimeMillis() > 0, "clocks");
        int sum = IntStream.range(0, 1000).parallel().map(i -> i % 7).sum();
        Check.that(sum == IntStream.range(0, 1000).map(i -> i % 7).sum(), "a parallel stream");
        Check.that(Math.random() < 1 && ThreadLocalRandom.current().nextInt(3) < 3, "chance");
        String text = """
            a text of
              several lines
            """;
        Check.that(text.lines().count() == 2, "a text block");
        try {
            Action action = Check.move(s, "whatever");
            String what = switch (action.getType()) {
                case PLAY, DISCARD -> "card " + action.getCard();
                case HINT_COLOUR -> action.getColour().name();
                case HINT_VALUE -> "" + action.getValue();
            };
            System.out.printf("%s does %s%n", s.getName(s.getNextPlayer()), what);
            return action;
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }

    public static void main(String[] args) {
        System.out.println(new Agent10000007());
        System.exit(0);
    }
}
