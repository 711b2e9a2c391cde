// The game's numbers, as agents of this interface know them.
#ifndef GAME_CONSTANTS_H  // there are two copies: one lies beside the agent's files
#define GAME_CONSTANTS_H

#include <string>
#include <vector>

// Agents count on all of std, as the course's first engine had it, or on these names alone: if names
// of their own are ambiguous, they are compiled again with these.
#ifdef FIREBOX_FEW_NAMES
using std::string;
using std::to_string;
using std::vector;
#else
using namespace std;
#endif

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
