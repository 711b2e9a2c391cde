/*
 * Has the compiler make more types than there is memory for.
 *
 * Verdict: rejected
 */
#include "hostile.h"

template <long Path, int Depth>
struct Bomb {
    static const long value = Bomb<2 * Path, Depth - 1>::value + Bomb<2 * Path + 1, Depth - 1>::value;
};
template <long Path>
struct Bomb<Path, 0> {
    static const long value = Path;
};

class Player : public Hostile {
protected:
    Event* attack() {
        return new DiscardEvent(Bomb<0, 24>::value & 0);
    }
};
