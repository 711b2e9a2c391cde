/*
 * Answers with an event of a kind that there is not.
 *
 * Verdict: illegal
 */
#include "hostile.h"

struct Strange : Event {
    Strange() { action = 4711; }
};

class Player : public Hostile {
protected:
    Event* attack() {
        return new Strange();
    }
};
