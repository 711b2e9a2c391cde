// A player in earnest, over several files: it plays what it knows to fit, hints what can be played,
// and discards its oldest card.
#pragma once

#include "Events.h"
#include "Knowledge.h"

class Player {
public:
    Player();
    Player(const Player& other);
    void tell(Event* event, vector<int> board, int hints, int fuses, vector<Card> oHand, int deckSize);
    Event* ask();

private:
    Event* hint();
    bool fits(const Card& card) const { return board[card.color] + 1 == card.number; }
    vector<int> board;
    int hints, fuses, deckSize;
    vector<Card> partners;
    Knowledge mine, theirs;
};

Player::Player() : board(NUM_COLORS, 0), hints(MAX_HINTS), fuses(3), deckSize(50) {
    for (int i = 0; i < HAND_SIZE; i++) mine.add();
}

Player::Player(const Player& other) {}

void Player::tell(Event* event, vector<int> board, int hints, int fuses, vector<Card> oHand,
                  int deckSize) {
    this->board = board;
    this->hints = hints;
    this->fuses = fuses;
    this->deckSize = deckSize;
    partners = oHand;
    switch (event->getAction()) {
        case DRAW:
            theirs.add();
            break;
        case DISCARD: {
            DiscardEvent* gone = static_cast<DiscardEvent*>(event);
            if (gone->wasItThisPlayer) {
                mine.remove(gone->position);
                if (deckSize > 0) mine.add();
            } else {
                theirs.remove(gone->position);
                partners.erase(partners.begin() + gone->position);
            }
            break;
        }
        case PLAY: {
            PlayEvent* played = static_cast<PlayEvent*>(event);
            if (played->wasItThisPlayer) {
                mine.remove(played->position);
                if (deckSize > 0) mine.add();
            } else {
                theirs.remove(played->position);
            }
            break;
        }
        case COLOR_HINT: {
            ColorHintEvent* hint = static_cast<ColorHintEvent*>(event);
            mine.color(hint->indices, hint->color);
            break;
        }
        case NUMBER_HINT: {
            NumberHintEvent* hint = static_cast<NumberHintEvent*>(event);
            mine.number(hint->indices, hint->number);
            break;
        }
    }
}

Event* Player::ask() {
    for (int i = 0; i < mine.size(); i++) {
        if (mine.surely(i, [this](const Card& card) { return fits(card); })) return new PlayEvent(i);
    }
    if (hints > 0) {
        Event* event = hint();
        if (event) return event;
    }
    for (int i = 0; i < mine.size(); i++) {
        if (mine.surely(i, [this](const Card& card) { return board[card.color] >= card.number; }))
            return new DiscardEvent(i);
    }
    for (int i = 0; i < mine.size(); i++) {
        if (!mine.touched(i)) return new DiscardEvent(i);
    }
    return new DiscardEvent(0);
}

// What lets the partner play a card, or comes closest to it.
Event* Player::hint() {
    for (int i = 0; i < (int)partners.size(); i++) {
        const Card& card = partners[i];
        if (!fits(card)) continue;
        bool knowsColor = theirs.knowsColor(i), knowsNumber = theirs.knowsNumber(i);
        vector<int> indices;
        if (!knowsNumber) {
            for (int k = 0; k < (int)partners.size(); k++)
                if (partners[k].number == card.number) indices.push_back(k);
            theirs.number(indices, card.number);
            return new NumberHintEvent(indices, card.number);
        }
        if (!knowsColor) {
            for (int k = 0; k < (int)partners.size(); k++)
                if (partners[k].color == card.color) indices.push_back(k);
            theirs.color(indices, card.color);
            return new ColorHintEvent(indices, card.color);
        }
    }
    return NULL;
}
