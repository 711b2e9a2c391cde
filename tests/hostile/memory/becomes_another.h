/*
 * Becomes another program.
 *
 * Verdict: forbidden
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        execl("/usr/bin/python3", "python3", "-c", "0", nullptr);
        return nullptr;
    }
};
