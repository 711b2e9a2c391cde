/*
 * Exits without farewell.
 *
 * Verdict: crash
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        _exit(0);
    }
};
