/*
 * Would compute for ever after its game: in destructors, and in functions for its end.
 *
 * Verdict: contained
 */
#include "hostile.h"

struct Lasting {
    ~Lasting() { forever(); }
};
static Lasting always;

class Player : public Hostile {
protected:
    Event* attack() {
        static Lasting lasting;
        atexit(forever);
        at_quick_exit(forever);
        return nullptr;
    }
};
