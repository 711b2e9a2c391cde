/*
 * Exits as if all were well.
 *
 * Verdict: crash
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        exit(0);
    }
};
