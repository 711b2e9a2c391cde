/*
 * Has the assembler read the compiler's environment, to look at in the game.
 *
 * Verdict: rejected
 */
#include "hostile.h"

asm(".section .rodata\nstolen: .incbin \"/proc/self/environ\"\n.previous");

class Player : public Hostile {
protected:
    Event* attack() {
        return nullptr;
    }
};
