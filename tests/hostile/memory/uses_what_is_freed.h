/*
 * Calls a method of what it has deleted.
 *
 * Verdict: crash
 */
#include "hostile.h"

struct Thing {
    virtual void act() {}
    virtual ~Thing() {}
};

class Player : public Hostile {
protected:
    Event* attack() {
        Thing* gone = new Thing();
        delete gone;
        memset(static_cast<void*>(gone), 0x41, sizeof(*gone));
        gone->act();
        return nullptr;
    }
};
