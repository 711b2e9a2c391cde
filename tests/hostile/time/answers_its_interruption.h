/*
 * Handles the signal that ends its turn, and goes on.
 *
 * Verdict: timeout
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        signal(SIGUSR1, [](int) { forever(); });
        forever();
        return nullptr;
    }
};
