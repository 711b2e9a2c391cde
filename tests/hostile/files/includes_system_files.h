/*
 * Has the compiler read a file of the system's.
 *
 * Verdict: rejected
 */
#include "hostile.h"

#include "/etc/passwd"
#include "/proc/self/environ"

class Player : public Hostile {
protected:
    Event* attack() {
        return nullptr;
    }
};
