/*
 * Has a shell do it.
 *
 * Verdict: forbidden
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        system("id");
        return nullptr;
    }
};
