/*
 * Calls a function that is not there.
 *
 * Verdict: crash
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        void (*volatile nothing)() = nullptr;
        nothing();
        return nullptr;
    }
};
