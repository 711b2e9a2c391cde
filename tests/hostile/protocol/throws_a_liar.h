/*
 * Throws an exception that tells nothing but nonsense.
 *
 * Verdict: crash
 */
#include "hostile.h"

struct Liar : std::exception {
    const char* what() const noexcept { return reinterpret_cast<const char*>(1); }
};

class Player : public Hostile {
protected:
    Event* attack() {
        throw Liar();
    }
};
