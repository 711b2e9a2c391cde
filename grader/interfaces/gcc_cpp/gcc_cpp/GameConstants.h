// The game's numbers, as agents of this interface know them.
#ifndef FIREBOX_GAME_CONSTANTS_H  // there are two copies: one lies beside the agent's files
#define FIREBOX_GAME_CONSTANTS_H

#include <string>
#include <vector>

using namespace std;  // agents count on it

#define RED 0
#define BLUE 1
#define GREEN 2
#define YELLOW 3
#define WHITE 4

#define NUM_COLORS 5
#define NUM_NUMBERS 5
#define MAX_HINTS 8
#define HAND_SIZE 5

#define NO_OP 0
#define SWAP 10
#define PLAY 11
#define DISCARD 12
#define COLOR_HINT 13
#define DRAW 14
#define NUMBER_HINT 15

#endif
