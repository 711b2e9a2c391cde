#ifndef PLAYER_H
#define PLAYER_H

#include <algorithm>
#include <vector>

#include "GameConstants.h"
#include "Card.h"
#include "Events.h"

// The colours and numbers that one card can have, by its hints.
struct Known {
    bool colors[NUM_COLORS];
    bool numbers[NUM_NUMBERS + 1];
    Known() {
        fill(colors, colors + NUM_COLORS, true);
        fill(numbers, numbers + NUM_NUMBERS + 1, true);
        numbers[0] = false;  // numbers count from 1
    }
    void hearColor(int color, bool pointedAt) {
        for (int c = 0; c < NUM_COLORS; c++)
            if ((c == color) != pointedAt) colors[c] = false;
    }
    void hearNumber(int number, bool pointedAt) {
        for (int n = 1; n <= NUM_NUMBERS; n++)
            if ((n == number) != pointedAt) numbers[n] = false;
    }
    bool oneColor() const { return count(colors, colors + NUM_COLORS, true) == 1; }
    bool oneNumber() const { return count(numbers, numbers + NUM_NUMBERS + 1, true) == 1; }
};

// Plays a card that must fit, else hints at one that fits, else discards its oldest card.
class Player {
public:
    Player() : hints(MAX_HINTS), mine(HAND_SIZE) {}

    // Called for everything that happens, before and between this player's turns.
    void tell(Event* event, vector<int> board, int hints, int fuses, vector<Card> oHand,
              int deckSize);
    // Called when it is this player's turn.
    Event* ask();

private:
    int hints;
    vector<int> board;
    vector<Card> partners;  // the partner's hand, which we see
    vector<Known> mine;     // what we know of our own hand
    vector<Known> theirs;   // what the partner knows of theirs

    bool fits(int color, int number) const { return board[color] + 1 == number; }
    bool surelyFits(const Known& card) const;
    void remove(bool isMine, int position, int deckSize);
    Event* hintColor(int color);
    Event* hintNumber(int number);
};

void Player::tell(Event* event, vector<int> board, int hints, int fuses, vector<Card> oHand,
                  int deckSize) {
    this->board = board;
    this->hints = hints;
    partners = oHand;
    switch (event->getAction()) {
        case DISCARD: {
            DiscardEvent* gone = static_cast<DiscardEvent*>(event);
            this->hints = min(hints + 1, MAX_HINTS);  // this event comes before the hint is returned
            remove(gone->wasItThisPlayer, gone->position, deckSize);
            break;
        }
        case PLAY: {
            PlayEvent* gone = static_cast<PlayEvent*>(event);
            remove(gone->wasItThisPlayer, gone->position, deckSize);
            break;
        }
        case DRAW:  // the partner's
            theirs.push_back(Known());
            break;
        case COLOR_HINT: {
            ColorHintEvent* hint = static_cast<ColorHintEvent*>(event);
            for (int i = 0; i < (int)mine.size(); i++)
                mine[i].hearColor(hint->color, count(hint->indices.begin(), hint->indices.end(), i));
            break;
        }
        case NUMBER_HINT: {
            NumberHintEvent* hint = static_cast<NumberHintEvent*>(event);
            for (int i = 0; i < (int)mine.size(); i++)
                mine[i].hearNumber(hint->number,
                                   count(hint->indices.begin(), hint->indices.end(), i));
            break;
        }
    }
}

Event* Player::ask() {
    for (int i = 0; i < (int)mine.size(); i++)
        if (surelyFits(mine[i])) return new PlayEvent(i);
    for (int i = 0; hints > 0 && i < (int)partners.size(); i++) {
        const Card& card = partners[i];
        if (!fits(card.color, card.number)) continue;
        if (!theirs[i].oneNumber()) return hintNumber(card.number);
        if (!theirs[i].oneColor()) return hintColor(card.color);
    }
    if (hints < MAX_HINTS) return new DiscardEvent(0);  // the oldest card is first
    return hintNumber(partners[0].number);
}

// Returns whether a card fits, whatever it is.
bool Player::surelyFits(const Known& card) const {
    for (int c = 0; c < NUM_COLORS; c++)
        for (int n = 1; n <= NUM_NUMBERS; n++)
            if (card.colors[c] && card.numbers[n] && !fits(c, n)) return false;
    return true;
}

// A card has left a hand. Our own draws are not reported: we get a card while the deck has one.
void Player::remove(bool isMine, int position, int deckSize) {
    vector<Known>& hand = isMine ? mine : theirs;
    hand.erase(hand.begin() + position);
    if (isMine && deckSize > 0) mine.push_back(Known());
}

// The engine finds out which cards a hint points at. We note what the partner will know.
Event* Player::hintColor(int color) {
    for (int i = 0; i < (int)partners.size(); i++)
        theirs[i].hearColor(color, partners[i].color == color);
    return new ColorHintEvent(vector<int>(), color);
}

Event* Player::hintNumber(int number) {
    for (int i = 0; i < (int)partners.size(); i++)
        theirs[i].hearNumber(number, partners[i].number == number);
    return new NumberHintEvent(vector<int>(), number);
}

#endif
