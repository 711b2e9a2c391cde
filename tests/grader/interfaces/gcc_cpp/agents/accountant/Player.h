// Keeps its own books of the whole game, tell by tell, and throws as soon as one does not agree.
#ifndef ACCOUNTANT
#define ACCOUNTANT
#include <stdexcept>
#include "GameConstants.h"
#include "Card.h"
#include "Events.h"

class Player {
public:
    Player() : told(0), asked(0), hints(MAX_HINTS), fuses(3), deck(50), drawAt(0), mine(NO_OP),
               board(NUM_COLORS, 0) {}
    void tell(Event* event, vector<int> board, int hints, int fuses, vector<Card> oHand, int deckSize);
    Event* ask();

private:
    void require(bool truth, const string& what) const {
        if (truth) return;
        throw logic_error("tell " + to_string(told) + " is not as promised: " + what);
    }
    void dealt(DrawEvent* drawn);
    void drew(DrawEvent* drawn);
    void discarded(DiscardEvent* gone);
    void played(PlayEvent* played);
    void hinted(const vector<int>& indices);
    void swapped(SwapEvent* swap);
    void nobodyDrew();
    void takeBack() { if (hints < MAX_HINTS) hints++; }

    int told, asked, hints, fuses, deck;
    int drawAt;  // where the partner's draw will be said to be; 0 if none is due
    int mine, at;  // what it did itself and is not told of yet, and with which card
    vector<int> board;
    vector<Card> partners;
};

void Player::tell(Event* event, vector<int> board, int hints, int fuses, vector<Card> oHand,
                  int deckSize) {
    told++;
    int action = event->getAction();
    if (told <= HAND_SIZE) dealt(static_cast<DrawEvent*>(event));
    else if (action == DRAW) drew(static_cast<DrawEvent*>(event));
    else if (action == DISCARD) discarded(static_cast<DiscardEvent*>(event));
    else if (action == PLAY) played(static_cast<PlayEvent*>(event));
    else if (action == COLOR_HINT) hinted(static_cast<ColorHintEvent*>(event)->indices);
    else if (action == NUMBER_HINT) hinted(static_cast<NumberHintEvent*>(event)->indices);
    else if (action == SWAP) swapped(static_cast<SwapEvent*>(event));
    else nobodyDrew();
    require(board == this->board, "the board, in the order of colors");
    require(hints == this->hints, "hints: " + to_string(hints) + ", not " + to_string(this->hints));
    require(fuses == this->fuses, "fuses");
    require(deckSize == deck, "deckSize: " + to_string(deckSize) + ", not " + to_string(deck));
    require(oHand == partners, "the partner's hand");
    if (action == DISCARD) {  // told before anything has happened
        takeBack();
        DiscardEvent* gone = static_cast<DiscardEvent*>(event);
        if (!gone->wasItThisPlayer) partners.erase(partners.begin() + gone->position);
    }
    if (action == PLAY || action == DISCARD) {
        bool own = action == PLAY ? static_cast<PlayEvent*>(event)->wasItThisPlayer
                                  : static_cast<DiscardEvent*>(event)->wasItThisPlayer;
        if (own && deck > 0) deck--;  // its own draw, of which nobody tells it
        if (!own) drawAt = action == PLAY ? 4 : 5;
    }
    // All of these are copies, or nobody's any more.
    board.clear();
    oHand.clear();
    if (action == PLAY) static_cast<PlayEvent*>(event)->position = 99;
}

void Player::dealt(DrawEvent* drawn) {
    require(drawn->getAction() == DRAW && drawn->position == told - 1, "the deal, card by card");
    partners.push_back(drawn->drawnCard);
    deck = 50 - 2 * told;
}

void Player::drew(DrawEvent* drawn) {
    require(drawAt != 0, "a draw after a play or discard");
    require(drawn->position == drawAt, "5 after a discard, 4 after a play");
    require(deck > 0, "a draw while there are cards");
    drawAt = 0;
    deck--;
    partners.push_back(drawn->drawnCard);
}

void Player::nobodyDrew() {
    require(drawAt != 0 && deck == 0, "NO_OP in place of a draw");
    drawAt = 0;
}

void Player::discarded(DiscardEvent* gone) {
    require(drawAt == 0, "a draw before the next move");
    if (gone->wasItThisPlayer) {
        require(mine == DISCARD && gone->position == at, "its own discard");
        mine = NO_OP;
    } else {
        require(mine == NO_OP, "its own move is told first");
        require(gone->c == partners[gone->position], "the card is still in the hand");
    }
}

void Player::played(PlayEvent* played) {
    require(drawAt == 0, "a draw before the next move");
    bool fits = board[played->c.color] + 1 == played->c.number;
    require(played->legal == fits, "legal");
    if (played->wasItThisPlayer) {
        require(mine == PLAY && played->position == at, "its own play");
        mine = NO_OP;
    } else {
        require(mine == NO_OP, "its own move is told first");
        require(played->c == partners[played->position], "the partner's card");
        partners.erase(partners.begin() + played->position);
    }
    if (fits) board[played->c.color]++;
    else fuses--;
    if (fits && played->c.number == NUM_NUMBERS) takeBack();
}

void Player::hinted(const vector<int>& indices) {
    require(drawAt == 0 && mine == NO_OP, "a hint after all that was before");
    require(!indices.empty() && indices.size() <= HAND_SIZE, "a hint touches cards");
    for (size_t i = 1; i < indices.size(); i++) require(indices[i - 1] < indices[i], "in order");
    hints--;
}

void Player::swapped(SwapEvent* swap) {
    require(drawAt == 0 && mine == NO_OP, "a swap after all that was before");
    std::swap(partners[swap->firstPosition], partners[swap->secondPosition]);
}

Event* Player::ask() {
    require(mine == NO_OP && drawAt == 0, "whoever is asked knows of all moves");
    asked++;
    if (asked % 7 == 3) return new SwapEvent(0, 2);
    if (hints > 0 && asked % 3 == 0) {
        hints--;  // nobody tells it
        return new ColorHintEvent(vector<int>(), partners[0].color);
    }
    if (hints > 0 && asked % 3 == 1) {
        hints--;
        return new NumberHintEvent(vector<int>(3, 7), partners.back().number);  // not its to fill in
    }
    at = asked % 3;
    mine = fuses > 1 && asked % 5 < 2 ? PLAY : DISCARD;
    if (mine == PLAY) return new PlayEvent(at);
    return new DiscardEvent(at);
}
#endif
