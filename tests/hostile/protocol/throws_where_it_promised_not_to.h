/*
 * Throws out of what throws nothing.
 *
 * Verdict: crash
 */
#include "hostile.h"

static void promised() noexcept { throw std::string("broken"); }

class Player : public Hostile {
protected:
    Event* attack() {
        promised();
        return nullptr;
    }
};
