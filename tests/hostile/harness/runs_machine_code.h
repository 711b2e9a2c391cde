/*
 * Writes machine code into memory and runs it.
 *
 * Verdict: contained
 */
#include <sys/mman.h>

#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED) {
            return nullptr;
        }
        #if defined(__x86_64__)
        // socket(AF_INET, SOCK_STREAM, 0), and back
        const unsigned char code[] = {0xb8, 41, 0, 0, 0, 0xbf, 2, 0, 0, 0, 0xbe, 1, 0, 0, 0,
                                      0x31, 0xd2, 0x0f, 0x05, 0xc3};
        memcpy(page, code, sizeof(code));
        if (mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0) {
            refused("socket", reinterpret_cast<long (*)()>(page)());
        }
        #endif
        return nullptr;
    }
};
