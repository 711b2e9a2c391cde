/*
 * Computes for ever in its constructor.
 *
 * Verdict: timeout
 * Limits: start_seconds=0.5
 * Armed: always
 */
#include "hostile.h"

class Player : public Hostile {
public:
    Player() { forever(); }

protected:
    Event* attack() {
        return nullptr;
    }
};
