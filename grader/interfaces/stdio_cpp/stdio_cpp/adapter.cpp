// Calls a program's main, as the C library does at the start of a process. Linked with the program's
// own files into one shared object.
#include <cstdlib>
#include <unistd.h>

#include "firebox.h"

extern int program_main(int, char**, char**) __asm__("main");

// Never returns. What the program printed is written before the process ends, as at any program's end.
extern "C" FIREBOX_EXPORT void firebox_main() {
    static char name[] = "agent";
    static char* arguments[] = {name, nullptr};
    int status = 0;
    int outcome = firebox::guarded("main()", [&] { status = program_main(1, arguments, environ); });
    if (outcome != firebox::ENDED_WELL) {
        _exit(outcome == firebox::OUT_OF_MEMORY ? 71 : 70);
    }
    exit(status);
}
