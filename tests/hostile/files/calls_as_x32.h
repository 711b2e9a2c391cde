/*
 * Calls the kernel by the numbers of yet another kind of program.
 *
 * Verdict: forbidden
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        #if defined(__x86_64__)
        syscall(0x40000000 | SYS_getpid);
        #else
        syscall(SYS_clone, 0, 0, 0, 0, 0);
        #endif
        return nullptr;
    }
};
