/*
 * Plays a card at a position that there is not.
 *
 * Verdict: illegal
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        return new PlayEvent(-1);
    }
};
