/*
 * Defines what the engine calls, in place of the engine.
 *
 * Verdict: rejected
 */
#include "hostile.h"

extern "C" __attribute__((visibility("default"))) int firebox_ask(int* answer) {
    return answer[0] = 11;
}

class Player : public Hostile {
protected:
    Event* attack() {
        return nullptr;
    }
};
