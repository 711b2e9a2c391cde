// A player and the cards that it holds; for files that include the course's header of this name.
#ifndef PLAYER_AND_HAND_H
#define PLAYER_AND_HAND_H

#include "Card.h"
#include "Player.h"

class PlayerAndHand {
public:
    Player player;
    vector<Card> hand;
};
typedef PlayerAndHand FullPlayer;

#endif
