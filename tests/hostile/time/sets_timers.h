/*
 * Sets timers that would interrupt it, or somebody.
 *
 * Verdict: contained
 */
#include <sys/time.h>

#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        itimerval soon = {{0, 1000}, {0, 1000}};
        refused("setitimer", setitimer(ITIMER_REAL, &soon, nullptr));
        denied({SYS_timer_create, SYS_alarm, SYS_timerfd_create});
        return nullptr;
    }
};
