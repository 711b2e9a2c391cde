package agents;

import hanabAI.*;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;

/** In its second turn does the one of its deeds whose number the partner's first card had. */
public class Faulty implements Agent {
    private static final String[] DEEDS = "@deeds@".split(" ");
    private String deed;

    public String toString() {
        return "Faulty";
    }

    public Action doAction(State s) {
        if (deed == null) {
            Card first = s.getHand(1 - s.getNextPlayer())[0];
            int colour = "RGBYW".indexOf(first.getColour().toString().charAt(0));
            deed = DEEDS[(5 * colour + first.getValue() - 1) % DEEDS.length];
        }
        try {
            return s.getOrder() < 2 ? Check.move(s, toString()) : act(s);
        } catch (IllegalActionException | IOException | InterruptedException error) {
            throw new IllegalStateException(error);
        }
    }

    private Action act(State s) throws IllegalActionException, IOException, InterruptedException {
        int me = s.getNextPlayer();
        switch (deed) {
            case "ReturnsNull":
                return null;
            case "DiscardsAtEight":
                return new Action(me, "x", s.getHintTokens() == 8 || s.getOrder() > 3
                        ? ActionType.DISCARD : ActionType.PLAY, 0);
            case "LiesInHints":
                Check.that(s.getHintTokens() > 0, "tokens");
                boolean[] all = {true, true, true, true, true};
                return new Action(me, "x", ActionType.HINT_VALUE, 1 - me, all, 5);
            case "BadPosition":
                return new Action(me, "x", ActionType.PLAY, 7);
            case "SomebodyElse":
                return new Action(1 - me, "x", ActionType.PLAY, 0);
            case "Throws":
                Object nothing = s.getDiscards().isEmpty() ? null : null;
                return (Action) (Object) nothing.toString();
            case "Recurses":
                return act(s);
            case "Exits":
                System.exit(0);
                return null;
            case "Hoards":
                List<long[]> hoard = new ArrayList<>();
                while (true) {
                    hoard.add(new long[1 << 20]);
                }
            case "StartsThread":
                new Thread(() -> { }).start();
                break;
            case "UsesPool":
                new ForkJoinPool(2).submit(() -> 1).join();
                break;
            case "Executes":
                new ProcessBuilder("/bin/sh", "-c", "true").start();
                break;
            case "Loops":
                long n = 0;
                while (true) {
                    n += s.getOrder();
                }
            case "Sleeps":
                Thread.sleep(60_000);
                break;
            default:
                throw new IllegalStateException(deed);
        }
        return Check.move(s, toString());
    }
}
