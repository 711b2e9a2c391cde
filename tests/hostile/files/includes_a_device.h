/*
 * Has the compiler read a file without end.
 *
 * Verdict: rejected
 */
#include "hostile.h"

#include "/dev/zero"

class Player : public Hostile {
protected:
    Event* attack() {
        return nullptr;
    }
};
