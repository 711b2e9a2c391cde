// Lives through being copied: its copy constructor is empty, its state travels by assignment alone.
// It throws as soon as anything is not as the engine promises.
#ifndef COPIER_PLAYER_H
#define COPIER_PLAYER_H

#include <stdexcept>

#include "GameConstants.h"
#include "Card.h"
#include "Events.h"

class Player {
public:
    Player() : draws(0), assigned(0), seen(new vector<Card>()) { made()++; }
    Player(const Player&) : draws(-1), assigned(-1), seen(NULL) {}
    ~Player() { delete seen; }
    Player& operator=(const Player& other) {
        draws = other.draws;
        assigned = other.assigned + 1;
        *seen = *other.seen;
        return *this;
    }
    void tell(Event* event, vector<int> board, int hints, int fuses, vector<Card> oHand, int deckSize);
    Event* ask();

private:
    static int& made() {
        static int count = 0;
        return count;
    }
    void require(bool truth, const string& what) const {
        if (!truth) throw logic_error("not as promised: " + what);
    }
    int draws, assigned, hints;
    vector<Card>* seen;
    vector<Card> partners;
};

inline void Player::tell(Event* event, vector<int> board, int hints, int fuses, vector<Card> oHand,
                         int deckSize) {
    Event base(*event);
    require(base.getAction() == event->getAction(), "a copied event");
    if (assigned == 0) {  // the deal
        require(event->getAction() == DRAW, "the deal is draws");
        DrawEvent drawn(*(DrawEvent*)event);
        require(drawn.position == draws && (int)oHand.size() == draws + 1, "a card after the other");
        require(drawn.drawnCard == oHand.back() && !(drawn.drawnCard != oHand[draws]), "the card");
        require(deckSize == 48 - 2 * draws, "the deck in the deal");
        require(hints == MAX_HINTS && fuses == 3, "tokens in the deal");
        draws++;
        seen->push_back(drawn.drawnCard);
    }
    require((int)board.size() == NUM_COLORS, "the board");
    this->hints = hints;
    partners = oHand;
}

inline Event* Player::ask() {
    require(made() == 2 && assigned == 1, "two players are made, and one is assigned");
    require(draws == HAND_SIZE && seen->size() == HAND_SIZE, "the deal's tells, before that");
    if (hints > 0) return new NumberHintEvent(vector<int>(), partners[0].number);
    return new DiscardEvent(0);
}

#endif
