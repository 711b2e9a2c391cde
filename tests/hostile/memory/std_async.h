/*
 * Computes something later.
 *
 * Verdict: forbidden
 */
#include <future>

#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        std::async(std::launch::async, forever).wait();
        return nullptr;
    }
};
