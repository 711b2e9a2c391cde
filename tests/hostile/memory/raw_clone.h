/*
 * Clones itself by a bare system call.
 *
 * Verdict: forbidden
 */
#include <sched.h>

#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        syscall(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0);
        return nullptr;
    }
};
