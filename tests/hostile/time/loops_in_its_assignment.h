/*
 * Computes for ever when it is assigned.
 *
 * Verdict: timeout
 * Limits: start_seconds=0.5
 * Armed: always
 */
#include "hostile.h"

class Player : public Hostile {
public:
    Player() {}

    Player& operator=(const Player&) {
        forever();
        return *this;
    }

protected:
    Event* attack() {
        return nullptr;
    }
};
