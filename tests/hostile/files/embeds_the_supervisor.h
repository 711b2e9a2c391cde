/*
 * Has the assembler read the supervisor, to look at in the game.
 *
 * Verdict: rejected
 */
#include "hostile.h"

asm(".section .rodata\nstolen: .incbin \"/opt/firebox/sandbox/inside/confine.py\"\n.previous");

class Player : public Hostile {
protected:
    Event* attack() {
        return nullptr;
    }
};
