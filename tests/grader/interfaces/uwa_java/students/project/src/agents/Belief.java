package agents;

import hanabAI.*;
import java.util.*;
import java.util.stream.Collectors;

class Belief {
    private final List<Set<Card>> slots = new ArrayList<>();
    private final BitSet touched = new BitSet();
    private static final Set<Card> EVERYTHING = new LinkedHashSet<>(Arrays.asList(Card.getDeck()));

    static {
        if (EVERYTHING.size() != 25) throw new AssertionError("equals and hashCode of Card");
    }

    Belief(int size) {
        for (int i = 0; i < size; i++) slots.add(new HashSet<>(EVERYTHING));
    }

    int size() { return slots.size(); }

    boolean present(int i) { return !slots.get(i).isEmpty(); }

    boolean touched(int i) { return touched.get(i); }

    Set<Card> possible(int i) { return Collections.unmodifiableSet(slots.get(i)); }

    void reset(int i, boolean drawn) {
        slots.set(i, drawn ? new HashSet<>(EVERYTHING) : new HashSet<>());
        touched.clear(i);
    }

    void colour(boolean[] which, Colour c) {
        for (int i = 0; i < which.length; i++) {
            final boolean hit = which[i];
            if (hit) touched.set(i);
            slots.get(i).removeIf(card -> (card.getColour() == c) != hit);
        }
    }

    void value(boolean[] which, int v) {
        for (int i = 0; i < which.length; i++) {
            final boolean hit = which[i];
            if (hit) touched.set(i);
            slots.get(i).removeIf(card -> (card.getValue() == v) ^ hit);
        }
    }

    @Override
    public String toString() {
        return slots.stream().map(x -> x.stream().map(Card::toString).sorted().collect(Collectors.joining("/")))
                .collect(Collectors.joining(" | ", "{", "}"));
    }
}
