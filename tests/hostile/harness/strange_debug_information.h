/*
 * Fills what its lines are looked up in with nonsense.
 *
 * Verdict: contained
 */
#include "hostile.h"

asm(".section .debug_line\n.fill 65536, 1, 0xff\n.previous");

class Player : public Hostile {
protected:
    Event* attack() {
        return nullptr;
    }
};
