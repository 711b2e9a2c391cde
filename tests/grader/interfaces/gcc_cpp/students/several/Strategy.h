#ifndef STRATEGY
#define STRATEGY
#include "Player.h"
// thresholds, found by trying
struct Strategy {
	static const int SAFE_FUSES = 2;
	static double playThreshold(int fuses) { return fuses >= SAFE_FUSES ? 0.7 : 0.99; }
	static const char* nameOf(int action) {
		switch (action) { case PLAY: return "play"; case DISCARD: return "discard"; case COLOR_HINT: return "color"; case NUMBER_HINT: return "number"; case SWAP: return "swap"; case DRAW: return "draw"; case NO_OP: default: return "nothing"; }
	}
};
#endif
