/*
 * Computes for ever.
 *
 * Verdict: timeout
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        forever();
        return nullptr;
    }
};
