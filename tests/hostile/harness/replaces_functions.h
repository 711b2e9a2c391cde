/*
 * Defines functions that the engine, the interpreter and the C library have.
 *
 * Verdict: contained
 */
#include "hostile.h"

#define SEEN __attribute__((visibility("default")))

extern "C" {
SEEN ssize_t write(int, const void*, size_t) { return 77; }
SEEN int main() { forever(); }
SEEN int __libc_start_main() { forever(); }
SEEN void* PyObject_Call() { forever(); }
SEEN void __wrap_free(void*) { forever(); }
}

class Player : public Hostile {
protected:
    Event* attack() {
        return write(2, "x", 1) == 77 ? nullptr : honest();
    }
};
