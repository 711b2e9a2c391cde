package agents;

import hanabAI.*;
import java.util.*;
import java.util.stream.*;

/** The modern one: records, lambdas, streams, random numbers, dates; and hints that touch nothing. */
public class Agent10000006 implements Agent {
    private record Wish(int slot, double worth) {}

    private final Random random = new Random(7);

    public String toString() {
        return "Modern";
    }

    public Action doAction(State s) {
        int me = s.getNextPlayer();
        try {
            UUID.randomUUID();
            Check.that(!String.format("%tY", new Date()).isEmpty(), "dates");
            List<Wish> wishes = IntStream.range(0, s.getHand(me).length)
                    .mapToObj(slot -> new Wish(slot, random.nextDouble()))
                    .sorted(Comparator.comparingDouble(Wish::worth))
                    .collect(Collectors.toList());
            Optional<Action> empty = s.getHintTokens() > 0 ? emptyHint(s, me) : Optional.empty();
            if (empty.isPresent() && s.getOrder() % 3 == 0) {
                return empty.get();
            }
            ActionType type = s.getHintTokens() == 8 ? ActionType.PLAY : ActionType.DISCARD;
            return new Action(me, toString(), type, wishes.get(0).slot());
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }

    private Optional<Action> emptyHint(State s, int me) throws IllegalActionException {
        int other = (me + 1) % s.getPlayers().length;
        Card[] hand = s.getHand(other);
        for (int value = 5; value > 0; value--) {
            int wanted = value;
            if (Arrays.stream(hand).noneMatch(c -> c != null && c.getValue() == wanted)) {
                return Optional.of(new Action(me, toString(), ActionType.HINT_VALUE, other,
                        new boolean[hand.length], value));
            }
        }
        return Optional.empty();
    }
}
