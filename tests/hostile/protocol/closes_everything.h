/*
 * Closes every descriptor that there may be.
 *
 * Verdict: crash
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        for (int number = 0; number < 1024; number++) {
            close(number);
        }
        return nullptr;
    }
};
