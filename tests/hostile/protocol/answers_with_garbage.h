/*
 * Answers with what was never made.
 *
 * Verdict: crash
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        static char nothing[64];
        memset(nothing, 0x7f, sizeof(nothing));
        return reinterpret_cast<Event*>(nothing);
    }
};
