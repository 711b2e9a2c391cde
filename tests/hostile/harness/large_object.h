/*
 * Has the assembler write a gigabyte.
 *
 * Verdict: rejected
 */
#include "hostile.h"

asm(".data\n.fill 1073741824, 1, 7\n.previous");

class Player : public Hostile {
protected:
    Event* attack() {
        return nullptr;
    }
};
