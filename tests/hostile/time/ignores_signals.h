/*
 * Goes on whatever signal it is sent.
 *
 * Verdict: timeout
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        for (int number = 1; number < NSIG; number++) {
            signal(number, SIG_IGN);
        }
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, nullptr);
        forever();
        return nullptr;
    }
};
