/*
 * Takes memory bit by bit and keeps it.
 *
 * Verdict: memory
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        for (;;) {
            memset(new char[1 << 16], 1, 1 << 16);
        }
    }
};
