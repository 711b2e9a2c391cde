/*
 * Calls itself without end.
 *
 * Verdict: crash
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        return attack();
    }
};
