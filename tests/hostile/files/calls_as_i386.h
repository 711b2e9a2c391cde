/*
 * Calls the kernel as a program of 32 bits.
 *
 * Verdict: forbidden
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        #if defined(__x86_64__)
        long result;
        asm volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
        #else
        syscall(SYS_clone, 0, 0, 0, 0, 0);
        #endif
        return nullptr;
    }
};
