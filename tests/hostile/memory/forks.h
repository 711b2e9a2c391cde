/*
 * Forks.
 *
 * Verdict: forbidden
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        fork();
        return nullptr;
    }
};
