/*
 * Throws while it throws.
 *
 * Verdict: crash
 */
#include "hostile.h"

struct Thrower {
    ~Thrower() noexcept(false) { throw 2; }
};

class Player : public Hostile {
protected:
    Event* attack() {
        Thrower thrower;
        throw 1;
    }
};
