/*
 * Has an array of a gigabyte that it never asked for.
 *
 * Verdict: memory
 * Armed: always
 */
#include "hostile.h"

static char huge[1 << 30];

class Player : public Hostile {
protected:
    Event* attack() {
        huge[turns] = 1;
        return nullptr;
    }
};
