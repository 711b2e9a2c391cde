/*
 * Has the assembler repeat itself, in loops in loops.
 *
 * Verdict: rejected
 */
#include "hostile.h"

asm(".data\n.rept 100000\n.rept 100000\n.skip 200, 49\n.endr\n.endr\n.previous");

class Player : public Hostile {
protected:
    Event* attack() {
        return nullptr;
    }
};
