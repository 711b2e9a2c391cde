/*
 * Has the assembler repeat itself, in loops in loops.
 *
 * Verdict: rejected
 */
#include "hostile.h"

#define TEN(text) text text text text text text text text text text

asm(".data\n.rept 100000\n.rept 100000\n.ascii \"" TEN(TEN("12")) "\"\n.endr\n.endr\n.previous");

class Player : public Hostile {
protected:
    Event* attack() {
        return nullptr;
    }
};
