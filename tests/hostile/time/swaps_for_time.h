/*
 * Swaps its cards again and again, and thinks before each swap for less than a turn may take.
 *
 * Verdict: timeout
 */
#include <ctime>

#include "hostile.h"

class Player : public Hostile {
public:
    Player() : swapping(false) {}

    Event* ask() { return swapping ? attack() : Hostile::ask(); }

protected:
    bool swapping;

    Event* attack() {
        swapping = true;
        for (clock_t begin = clock(); clock() - begin < CLOCKS_PER_SEC / 5;) {
        }
        return new SwapEvent(0, 1);
    }
};
