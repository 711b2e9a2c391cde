/*
 * Asks the kernel itself for memory, and for memory that is shared.
 *
 * Verdict: contained
 */
#include <sys/mman.h>

#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        const int both = PROT_READ | PROT_WRITE, own = MAP_PRIVATE | MAP_ANONYMOUS;
        refused("a gigabyte", (long)mmap(nullptr, 1 << 30, both, own, -1, 0) == -1 ? -1 : 0);
        int shared = MAP_SHARED | MAP_ANONYMOUS;
        refused("shared", (long)mmap(nullptr, 4096, both, shared, -1, 0) == -1 ? -1 : 0);
        refused("a segment", (long)sbrk(1 << 30) == -1 ? -1 : 0);
        denied({SYS_mlock, SYS_mlockall, SYS_memfd_create, SYS_shmget});
        return nullptr;
    }
};
