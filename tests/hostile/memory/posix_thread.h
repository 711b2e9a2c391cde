/*
 * Starts a thread of the system's.
 *
 * Verdict: forbidden
 */
#include <pthread.h>

#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        pthread_t thread;
        pthread_create(&thread, nullptr, [](void*) -> void* {
            forever();
            return nullptr;
        }, nullptr);
        return nullptr;
    }
};
