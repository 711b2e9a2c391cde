//Hanabi player, one file. I sort my hand so that the playable cards are on the left.
#include <iostream>
#include <fstream>
#include <list>
#include <set>
#include <cassert>
#include <climits>
#include <cstdio>
#include <cstring>
using std::string; using namespace std;

#ifdef WIN32
#include <windows.h>
#endif

namespace {
    const int kinds = NUM_COLORS * NUM_NUMBERS;
    int seen[kinds];
    struct Slot { int c; int n; int id; Slot* next; };
    Slot *head = NULL;      // linked list: oldest first, shared by all players, made anew in the first game
    int nextId = 0;
}
inline int idx(int c, int n) { return c * 5 + (n - 1); }
typedef struct hint_s { bool color; int what; double value; } hint_t;
bool betterHint(const hint_t& a, const hint_t& b) { return a.value > b.value; }
ostream& operator<<(ostream& out, const Card& c) { return out << c.toString(); }
ostream& operator<<(ostream& out, Event* e) {
    if (PlayEvent* p = (PlayEvent*)(e->getAction() == PLAY ? e : 0)) return out << "play " << p->position;
    return out << "event " << e->getAction();
}

class Base {
public:
    virtual ~Base() {}
    virtual Event* think() = 0;
protected:
    int tokens = 8, lives = 3, cards = 50;
    vector<int> piles = vector<int>(5);
};

class Player : public Base {
public:
    Player() { turn = 0; told = 0; out = &cout; for (int i = 0; i < kinds; i++) seen[i] = 0; for (int i = 0; i < 5; i++) { color[i] = number[i] = -1; pc[i] = pn[i] = false; } size = 5; psize = 0; }
    Player(const Player& p) {}
    void tell(Event* event, vector<int> board, int hints, int fuses, vector<Card> oHand, int deckSize) {
        told++;
        piles = board; tokens = hints; lives = fuses; cards = deckSize;
        other.assign(oHand.begin(), oHand.end());
        (*out) << "[" << told << "] " << event << " hand:";
        for (auto& c : other) *out << ' ' << c;
        *out << '\n';
        switch (event->getAction()) {
        case DRAW: { pc[psize] = pn[psize] = false; psize++; assert(psize <= HAND_SIZE); seen[idx(((DrawEvent*)event)->drawnCard.color, ((DrawEvent*)event)->drawnCard.number)]++; } break;
        case SWAP: { SwapEvent* s = (SwapEvent*)event; swap(pc[s->firstPosition], pc[s->secondPosition]); std::swap(pn[s->firstPosition], pn[s->secondPosition]); break; }
        case DISCARD: { DiscardEvent* d = (DiscardEvent*)event; if (tokens < MAX_HINTS) tokens++; gone(d->position, d->wasItThisPlayer, d->c); break; }
        case PLAY: { PlayEvent* p = (PlayEvent*)event; gone(p->position, p->wasItThisPlayer, p->c); break; }
        case COLOR_HINT: for (int i : ((ColorHintEvent*)event)->indices) color[i] = ((ColorHintEvent*)event)->color; break;
        case NUMBER_HINT: { auto* h = static_cast<NumberHintEvent*>(event); for_each(h->indices.begin(), h->indices.end(), [&](int i) { number[i] = h->number; }); }
        }
    }
    Event* ask() { turn++; Event* e = think(); *out << "turn " << turn << ": " << e << endl; return e; }
    Event* think() {
        // bring cards of which more is known to the front, one swap at a time
        for (int i = 1; i < size; i++)
            if (known(i) == 2 && known(i - 1) < 2) {
                swap(color[i], color[i - 1]); swap(number[i], number[i - 1]);
                return new SwapEvent(i - 1, i);
            }
        for (int i = 0; i < size; i++) if (sure(i)) return new PlayEvent(i);
        list<hint_t> hints;
        if (tokens > 0) {
            for (int i = 0; i < (int)other.size(); i++) {
                Card c = other[i];
                if (piles[c.color] + 1 != c.number) continue;
                if (!pn[i]) { hint_t h = { false, c.number, 2.0 + 1.0 / c.number }; hints.push_back(h); }
                else if (!pc[i]) { hint_t h = { true, c.color, 3.0 }; hints.push_back(h); }
            }
            hints.sort(betterHint);
        }
        if (hints.size()) return give(hints.front());
        int worst = -1, best = INT_MAX;
        for (int i = size - 1; i >= 0; i--) {
            int value = known(i) * 10 + 4 - i;
            if (number[i] == 5) value += 100;
            if (color[i] >= 0 && number[i] > 0 && number[i] <= piles[color[i]]) value = -1;
            if (value < best) { best = value; worst = i; }
        }
        if (tokens < MAX_HINTS) { DiscardEvent* d = new DiscardEvent; d->position = worst; return d; }
        hint_t any = { true, other.back().color, 0 };
        return give(any);
    }
private:
    int known(int i) { return (color[i] >= 0) + (number[i] > 0); }
    bool sure(int i) {
        if (number[i] < 0) return false;
        if (color[i] >= 0) return piles[color[i]] == number[i] - 1;
        set<int> tops(piles.begin(), piles.end());
        return tops.size() == 1 && *tops.begin() == number[i] - 1;
    }
    Event* give(hint_t h) {
        tokens--;
        vector<int> where;
        for (unsigned i = 0; i < other.size(); i++)
            if ((h.color ? other[i].color : other[i].number) == h.what) { (h.color ? pc : pn)[i] = true; where.push_back(i); }
        if (h.color) return new ColorHintEvent(where, h.what);
        else return new NumberHintEvent(where, h.what);
    }
    void gone(int at, bool me, Card c) {
        if (me) { for (int i = at; i < 4; i++) { color[i] = color[i + 1]; number[i] = number[i + 1]; } color[4] = number[4] = -1; if (cards == 0) size--; seen[idx(c.color, c.number)]++; }
        else { memmove(pc + at, pc + at + 1, (4 - at) * sizeof(bool)); memmove(pn + at, pn + at + 1, 4 - at); psize--; }
    }
    int color[5], number[5], size, psize, turn, told;
    bool pc[5], pn[5];
    ostream* out;
    vector<Card> other;
};
