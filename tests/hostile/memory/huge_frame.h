/*
 * Wants more stack than there is, at once.
 *
 * Verdict: crash
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        volatile char frame[64 << 20];
        frame[0] = 1;
        return frame[0] ? nullptr : honest();
    }
};
