/*
 * Swaps its cards and never does anything else.
 *
 * Verdict: illegal
 */
#include "hostile.h"

class Player : public Hostile {
public:
    Event* ask() {
        Event* made = Hostile::ask();
        swaps = swaps || (armed && turns == 2);
        return swaps ? new SwapEvent(0, 1) : made;
    }

    bool swaps = false;

protected:
    Event* attack() {
        return new SwapEvent(0, 1);
    }
};
