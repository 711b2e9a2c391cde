/*
 * Computes for ever before it is asked for anything: something has to be initialised.
 *
 * Verdict: timeout
 * Limits: start_seconds=0.5
 * Armed: always
 */
#include "hostile.h"

static const bool looped = (forever(), true);

class Player : public Hostile {
protected:
    Event* attack() {
        return nullptr;
    }
};
