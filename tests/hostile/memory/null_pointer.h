/*
 * Writes where there is nothing.
 *
 * Verdict: crash
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        volatile int* nowhere = nullptr;
        *nowhere = 1;
        return nullptr;
    }
};
