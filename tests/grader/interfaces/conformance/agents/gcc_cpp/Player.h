// Plain sense, for two, against Player.h's interface. The rules of this strategy are in ../README.md.
#ifndef PLAYER_H
#define PLAYER_H

#include "GameConstants.h"
#include "Card.h"
#include "Events.h"

// What a card's holder was told of it; -1 stands for nothing.
struct Told {
    Told() : color(-1), number(-1) {}
    int color, number;
};

class Player {
public:
    Player() : hints(MAX_HINTS), fuses(3), board(NUM_COLORS, 0), mine(HAND_SIZE) {}
    void tell(Event* event, vector<int> board, int hints, int fuses, vector<Card> oHand, int deckSize);
    Event* ask();

private:
    bool playable(int color, int number) const { return board[color] == number - 1; }
    bool playable(const Told& told) const;
    Event* hintAtPlayable();
    Event* gamble();
    Event* discard();
    Event* hintAny();
    Event* colorHint(int color);
    Event* numberHint(int number);
    void lost(int position, int deckSize);

    int hints, fuses;
    vector<int> board;
    vector<Card> partners;
    vector<Told> mine, theirs;
};

void Player::lost(int position, int deckSize) {
    mine.erase(mine.begin() + position);
    if (deckSize > 0) mine.push_back(Told());
}

void Player::tell(Event* event, vector<int> board, int hints, int fuses, vector<Card> oHand,
                  int deckSize) {
    this->board = board;
    this->hints = hints;
    this->fuses = fuses;
    partners = oHand;
    switch (event->getAction()) {
        case DRAW:
            theirs.push_back(Told());
            break;
        case DISCARD: {
            DiscardEvent* gone = static_cast<DiscardEvent*>(event);
            if (hints < MAX_HINTS) this->hints++;  // told before it is back
            if (gone->wasItThisPlayer) lost(gone->position, deckSize);
            else theirs.erase(theirs.begin() + gone->position);
            break;
        }
        case PLAY: {
            PlayEvent* played = static_cast<PlayEvent*>(event);
            if (played->wasItThisPlayer) lost(played->position, deckSize);
            else theirs.erase(theirs.begin() + played->position);
            break;
        }
        case COLOR_HINT: {
            ColorHintEvent* hint = static_cast<ColorHintEvent*>(event);
            for (size_t i = 0; i < hint->indices.size(); i++) mine[hint->indices[i]].color = hint->color;
            break;
        }
        case NUMBER_HINT: {
            NumberHintEvent* hint = static_cast<NumberHintEvent*>(event);
            for (size_t i = 0; i < hint->indices.size(); i++) mine[hint->indices[i]].number = hint->number;
            break;
        }
    }
}

bool Player::playable(const Told& told) const {
    if (told.number < 0) return false;
    if (told.color >= 0) return playable(told.color, told.number);
    for (int color = 0; color < NUM_COLORS; color++)
        if (!playable(color, told.number)) return false;
    return true;
}

Event* Player::ask() {
    for (size_t i = 0; i < mine.size(); i++)
        if (playable(mine[i])) return new PlayEvent(i);
    Event* event = NULL;
    if (hints > 0) event = hintAtPlayable();
    else if (fuses > 1) event = gamble();
    if (!event && hints < MAX_HINTS) event = discard();
    return event ? event : hintAny();
}

Event* Player::hintAtPlayable() {
    for (size_t i = 0; i < partners.size(); i++) {
        if (!playable(partners[i].color, partners[i].number)) continue;
        if (theirs[i].number < 0) return numberHint(partners[i].number);
        if (theirs[i].color < 0) return colorHint(partners[i].color);
    }
    return NULL;
}

Event* Player::gamble() {
    for (size_t i = 0; i < mine.size(); i++)
        if (mine[i].color < 0 && mine[i].number > 0)
            for (int color = 0; color < NUM_COLORS; color++)
                if (playable(color, mine[i].number)) return new PlayEvent(i);
    return NULL;
}

Event* Player::discard() {
    for (size_t i = 0; i < mine.size(); i++)
        if (mine[i].color >= 0 && mine[i].number > 0 && board[mine[i].color] >= mine[i].number)
            return new DiscardEvent(i);
    for (size_t i = 0; i < mine.size(); i++)
        if (mine[i].color < 0 && mine[i].number < 0) return new DiscardEvent(i);
    return new DiscardEvent(0);
}

Event* Player::hintAny() {
    int order[] = {RED, YELLOW, GREEN, WHITE, BLUE};
    for (int k = 0; k < NUM_COLORS; k++)
        for (size_t i = 0; i < partners.size(); i++)
            if (partners[i].color == order[k]) return colorHint(order[k]);
    return NULL;
}

// Nobody tells a player of its own hints: it notes them as it gives them.
Event* Player::colorHint(int color) {
    hints--;
    for (size_t i = 0; i < partners.size(); i++)
        if (partners[i].color == color) theirs[i].color = color;
    return new ColorHintEvent(vector<int>(), color);
}

Event* Player::numberHint(int number) {
    hints--;
    for (size_t i = 0; i < partners.size(); i++)
        if (partners[i].number == number) theirs[i].number = number;
    return new NumberHintEvent(vector<int>(), number);
}

#endif
