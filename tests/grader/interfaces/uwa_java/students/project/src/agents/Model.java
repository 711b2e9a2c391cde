package agents;

import hanabAI.*;
import java.util.*;

/** my own quick copy of the game, because State can't be put into the middle of a game */
class Model implements Cloneable {
    Card[][] hands;
    boolean[][] known;
    EnumMap<Colour, Integer> piles = new EnumMap<>(Colour.class);
    ArrayDeque<Card> deck = new ArrayDeque<>();
    List<Card> unseen = new ArrayList<>();
    int hints, fuses, player, left = Integer.MAX_VALUE;

    static Model of(State s, Map<Integer, Belief> beliefs) {
        Model m = new Model();
        int n = s.getPlayers().length;
        m.hands = new Card[n][];
        m.known = new boolean[n][];
        List<Card> all = new LinkedList<>(Arrays.asList(Card.getDeck()));
        for (Card c : s.getDiscards()) all.remove(c);
        for (Colour c : Colour.values()) {
            m.piles.put(c, s.getFirework(c).isEmpty() ? 0 : s.getFirework(c).peek().getValue());
            s.getFirework(c).forEach(all::remove);
        }
        for (int p = 0; p < n; p++) {
            m.hands[p] = s.getHand(p);
            m.known[p] = new boolean[m.hands[p].length];
            for (int i = 0; i < m.hands[p].length; i++) {
                if (m.hands[p][i] != null) all.remove(m.hands[p][i]);
                m.known[p][i] = beliefs.get(p).touched(i);
            }
        }
        m.unseen.addAll(all);
        m.hints = s.getHintTokens();
        m.fuses = s.getFuseTokens();
        m.player = s.getNextPlayer();
        if (s.getFinalActionIndex() != -1) m.left = s.getFinalActionIndex() - s.getOrder() + 1;
        return m;
    }

    Model determinise(Random rng, Belief mine) {
        Model m = copy();
        Collections.shuffle(m.unseen, rng);
        Integer[] order = new Integer[mine.size()];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> mine.possible(a).size() - mine.possible(b).size());
        for (int i : order) {
            if (!mine.present(i)) continue;
            Iterator<Card> it = m.unseen.iterator();
            while (it.hasNext()) {
                Card c = it.next();
                if (mine.possible(i).contains(c)) {
                    m.hands[m.player][i] = c;
                    it.remove();
                    break;
                }
            }
        }
        m.deck.addAll(m.unseen);
        return m;
    }

    boolean fits(Card c) {
        return c != null && piles.get(c.getColour()) + 1 == c.getValue();
    }

    int score() {
        int sum = 0;
        for (int v : piles.values()) sum += v;
        return fuses == 0 ? 0 : sum;
    }

    void apply(Move move) {
        if (move instanceof Play p) {
            Card c = hands[player][p.slot()];
            if (fits(c)) piles.merge(c.getColour(), 1, Integer::sum);
            else fuses--;
            draw(p.slot());
        } else if (move instanceof Discard d) {
            hints = Math.min(8, hints + 1);
            draw(d.slot());
        } else {
            hints--;
            int to = move instanceof HintColour h ? h.player() : ((HintValue) move).player();
            for (int i = 0; i < hands[to].length; i++)
                if (hands[to][i] != null && (move instanceof HintColour h
                        ? h.colour() == hands[to][i].getColour()
                        : ((HintValue) move).value() == hands[to][i].getValue())) known[to][i] = true;
        }
        if (deck.isEmpty() && left == Integer.MAX_VALUE) left = hands.length + 1;
        if (left != Integer.MAX_VALUE) left--;
        player = ++player % hands.length;
    }

    private void draw(int slot) {
        hands[player][slot] = deck.poll();
        known[player][slot] = false;
    }

    double rollout(Random rng) {
        Model m = this;
        for (int turn = 0; turn < 12 && m.fuses > 0 && m.left > 0; turn++) {
            Move move = null;
            for (int i = 0; i < m.hands[m.player].length && move == null; i++)
                if (m.known[m.player][i] && m.fits(m.hands[m.player][i])) move = new Play(i);
            if (move == null) move = new Discard(rng.nextInt(m.hands[m.player].length));
            m.apply(move);
        }
        return m.score() + 0.05 * m.hints + (m.fuses - 3);
    }

    Model copy() {
        try {
            Model m = (Model) super.clone();
            m.hands = new Card[hands.length][];
            m.known = new boolean[hands.length][];
            for (int p = 0; p < hands.length; p++) {
                m.hands[p] = Arrays.copyOf(hands[p], hands[p].length);
                m.known[p] = known[p].clone();
            }
            m.piles = new EnumMap<>(piles);
            m.deck = new ArrayDeque<>(deck);
            m.unseen = new ArrayList<>(unseen);
            return m;
        } catch (CloneNotSupportedException e) {
            return null;
        }
    }
}
