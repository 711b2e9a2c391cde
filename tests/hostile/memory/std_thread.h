/*
 * Starts a thread of the standard library.
 *
 * Verdict: forbidden
 */
#include <thread>

#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        std::thread(forever).detach();
        return nullptr;
    }
};
