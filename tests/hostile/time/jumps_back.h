/*
 * Jumps back to where it was, for ever.
 *
 * Verdict: timeout
 */
#include <csetjmp>

#include "hostile.h"

static jmp_buf here;

class Player : public Hostile {
protected:
    Event* attack() {
        setjmp(here);
        longjmp(here, 1);
        return nullptr;
    }
};
