/*
 * Handles its own crash by making it once more.
 *
 * Verdict: timeout
 */
#include "hostile.h"

static void handle(int) {}

static void raise_it() {
    volatile int* nowhere = nullptr;
    *nowhere = 1;
}

class Player : public Hostile {
protected:
    Event* attack() {
        signal(SIGSEGV, handle);
        raise_it();
        return nullptr;
    }
};
