/*
 * Makes the code of the C library writable and replaces a function.
 *
 * Verdict: contained
 */
#include <sys/mman.h>

#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        long page = reinterpret_cast<long>(&getppid) & ~4095L;
        void* at = reinterpret_cast<void*>(page);
        if (mprotect(at, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) {
            memset(reinterpret_cast<void*>(&getppid), 0xc3, 1);
            getppid();
        }
        return nullptr;
    }
};
