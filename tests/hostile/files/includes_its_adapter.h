/*
 * Has the compiler read what compiles it, of which it would see a part in the complaints.
 *
 * Verdict: rejected
 */
#include "hostile.h"

#include "/opt/firebox/sandbox/inside/supervisor.py"

class Player : public Hostile {
protected:
    Event* attack() {
        return nullptr;
    }
};
