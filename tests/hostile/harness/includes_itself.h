/*
 * Includes itself, without end.
 *
 * Verdict: rejected
 */
#include "hostile.h"

#include "again.h"

class Player : public Hostile {
protected:
    Event* attack() {
        return nullptr;
    }
};
