/*
 * Ends the only thread that it has.
 *
 * Verdict: crash
 */
#include <pthread.h>

#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        pthread_exit(nullptr);
    }
};
