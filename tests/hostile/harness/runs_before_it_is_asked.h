/*
 * Runs in functions that the loader calls, and reaches no more than elsewhere.
 *
 * Verdict: contained
 */
#include "hostile.h"

static void early() {
    unreadable({"/etc/passwd", "/proc/self/maps", "/opt/firebox/sandbox/inside/supervisor.py"});
    denied({SYS_socket, SYS_kill, SYS_ptrace, SYS_pipe2});
    for (int number = 5; number < 1024; number++) {
        if (fcntl(number, F_GETFD) >= 0) {
            escaped("a descriptor is open");
        }
    }
}

__attribute__((constructor(102))) static void first() { early(); }
__attribute__((section(".init_array"), used)) static void (*second)() = early;

class Player : public Hostile {
protected:
    Event* attack() {
        return nullptr;
    }
};
