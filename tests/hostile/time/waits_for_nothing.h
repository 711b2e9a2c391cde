/*
 * Waits for nothing, in ways that the kernel knows.
 *
 * Verdict: idle
 */
#include <poll.h>
#include <sys/select.h>

#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        select(0, nullptr, nullptr, nullptr, nullptr);
        poll(nullptr, 0, -1);
        sigset_t none;
        sigemptyset(&none);
        sigsuspend(&none);
        pause();
        return nullptr;
    }
};
