/*
 * Prints without end.
 *
 * Verdict: timeout
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        for (;;) {
            puts("and on");
        }
    }
};
