// For files that include the course's header of this name: the types, and its function for two cards.
// The engine itself is elsewhere.
#ifndef GAME_H
#define GAME_H

#include "GameConstants.h"
#include "Card.h"
#include "Events.h"
#include "PlayerAndHand.h"

class Game;

inline void swap(Card& first, Card& second) {
    Card third(first);
    first = second;
    second = third;
}

#endif
