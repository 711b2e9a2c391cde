/*
 * Has the compiler compute for ever.
 *
 * Verdict: rejected
 */
#include "hostile.h"

constexpr long compute(long n) { return n < 2 ? 1 : compute(n - 1) + compute(n - 2); }
static_assert(compute(60) != 0, "it takes a while");

class Player : public Hostile {
protected:
    Event* attack() {
        return new DiscardEvent(compute(1 << 30) & 0);
    }
};
