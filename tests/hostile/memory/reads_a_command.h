/*
 * Reads what a command prints.
 *
 * Verdict: contained
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        refused("popen", popen("id", "r") ? 0 : -1);
        return nullptr;
    }
};
