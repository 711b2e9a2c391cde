package agents;

import hanabAI.*;

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.*;
import java.util.stream.*;

/*
   22334455 - café edition.  Monte Carlo: guesses my own hand, plays the rest of
   the game out with a simple policy a few times for each candidate action.
*/
public class Agent22334455 implements Agent {

    private static final long BUDGET_NANOS = 50_000_000L;
    private final Map<Integer, Belief> beliefs = new TreeMap<>();
    private final Random rng = new Random();
    private final Memo<Card, Integer> index = new Memo<>(c -> c.getColour().ordinal() * 5 + c.getValue() - 1);
    private int lastOrder = -1;

    @Override
    public String toString() {
        return getClass().getSimpleName();
    }

    @Override
    public Action doAction(final State s) {
        final var deadline = System.nanoTime() + BUDGET_NANOS;
        try {
            if (lastOrder < 0) {
                for (var p = 0; p < s.getPlayers().length; p++) {
                    beliefs.put(p, new Belief(s.getHand(p).length));
                }
            }
            observe(s);
            Model root = Model.of(s, beliefs);
            List<Move> moves = candidates(root, s).toList();
            double[] total = new double[moves.size()];
            int[] visits = new int[moves.size()];
            for (int round = 0; System.nanoTime() < deadline && round < 4; round++) {
                Model world = root.determinise(rng, beliefs.get(s.getObserver()));
                for (int m = 0; m < moves.size(); m++) {
                    Model copy = world.copy();
                    copy.apply(moves.get(m));
                    total[m] += copy.rollout(rng);
                    visits[m]++;
                }
            }
            int best = IntStream.range(0, moves.size()).boxed()
                    .max(Comparator.comparingDouble(m -> total[m] / Math.max(1, visits[m])))
                    .orElseThrow();
            System.out.printf("turn %d: %s of %d after %d rounds%n", s.getOrder(), moves.get(best), moves.size(), visits[0]);
            return toAction(s, moves.get(best));
        } catch (IllegalActionException e) {
            throw new IllegalStateException(e);
        }
    }

    private void observe(State s) throws IllegalActionException {
        LinkedList<State> news = new LinkedList<>();
        for (State t = s; t != null && t.getOrder() > lastOrder && t.getPreviousState() != null; t = t.getPreviousState()) {
            news.addFirst(t);
        }
        for (State t : news) {
            Action a = t.getPreviousAction();
            switch (a.getType()) {
                case PLAY, DISCARD -> beliefs.get(a.getPlayer()).reset(a.getCard(), t.getPreviousState().getFinalActionIndex() < 0);
                case HINT_COLOUR -> beliefs.get(a.getHintReceiver()).colour(a.getHintedCards(), a.getColour());
                case HINT_VALUE -> beliefs.get(a.getHintReceiver()).value(a.getHintedCards(), a.getValue());
            }
        }
        lastOrder = s.getOrder();
    }

    private Stream<Move> candidates(Model model, State s) {
        int me = s.getObserver();
        Belief mine = beliefs.get(me);
        for (int i = 0; i < mine.size(); i++) {
            if (mine.present(i) && mine.possible(i).stream().allMatch(model::fits)) return Stream.of(new Play(i));
        }
        Stream<Move> plays = IntStream.range(0, mine.size()).filter(mine::present)
                .filter(i -> mine.possible(i).stream().filter(model::fits).count() >= (s.getFuseTokens() > 2 ? 0.6 : 1.0) * mine.possible(i).size())
                .mapToObj(i -> new Play(i));
        Stream<Move> discards = s.getHintTokens() == 8 ? Stream.empty()
                : IntStream.range(0, mine.size()).filter(mine::present).mapToObj(Discard::new);
        Stream<Move> hints = s.getHintTokens() == 0 ? Stream.empty()
                : IntStream.range(1, s.getPlayers().length).map(k -> (me + k) % s.getPlayers().length).boxed()
                    .flatMap(p -> Arrays.stream(s.getHand(p)).filter(Objects::nonNull).filter(model::fits)
                        .flatMap(c -> Stream.<Move>of(new HintColour(p, c.getColour()), new HintValue(p, c.getValue()))))
                    .distinct();
        Stream<Move> any = s.getHintTokens() < 8 ? Stream.empty() : Stream.of(anything(s, (me + 1) % s.getPlayers().length));
        return Stream.of(plays, discards, hints, any).flatMap(Function.identity());
    }

    private Move anything(State s, int p) {
        return new HintColour(p, Arrays.stream(s.getHand(p)).filter(Objects::nonNull).findAny().get().getColour());
    }

    private Action toAction(State s, Move move) throws IllegalActionException {
        int me = s.getNextPlayer();
        if (move instanceof Play p) return new Action(me, toString(), ActionType.PLAY, p.slot());
        if (move instanceof Discard d) return new Action(me, toString(), ActionType.DISCARD, d.slot());
        if (move instanceof HintColour h)
            return new Action(me, toString(), ActionType.HINT_COLOUR, h.player(), pointing(s, h.player(), c -> c.getColour() == h.colour()), h.colour());
        HintValue h = (HintValue) move;
        return new Action(me, toString(), ActionType.HINT_VALUE, h.player(), pointing(s, h.player(), c -> c.getValue() == h.value()), h.value());
    }

    private static boolean[] pointing(State s, int player, Predicate<Card> test) {
        Card[] hand = s.getHand(player);
        boolean[] b = new boolean[hand.length];
        Arrays.setAll(new Boolean[hand.length], i -> b[i] = hand[i] != null && test.test(hand[i]));
        return b;
    }

    public static void main(String... args) {
        String text = """
            usage: java agents.Agent22334455
            """;
        System.out.println(text + Runtime.version() + ThreadLocalRandom.current().nextInt());
    }
}

sealed interface Move permits Play, Discard, HintColour, HintValue {
    default boolean isHint() {
        return this instanceof HintColour || this instanceof HintValue;
    }
}

record Play(int slot) implements Move {}

record Discard(int slot) implements Move {}

record HintColour(int player, Colour colour) implements Move {}

record HintValue(int player, int value) implements Move {
    HintValue {
        if (value < 1 || value > 5) throw new IllegalArgumentException("value " + value);
    }
}

/** remembers what a function gave */
class Memo<K, V> {
    private final HashMap<K, V> known = new HashMap<>();
    private final Function<? super K, ? extends V> f;

    Memo(Function<? super K, ? extends V> f) {
        this.f = f;
    }

    V get(K key) {
        return known.computeIfAbsent(key, f::apply);
    }
}
