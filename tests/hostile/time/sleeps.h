/*
 * Sleeps.
 *
 * Verdict: idle
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        sleep(1000000);
        return nullptr;
    }
};
