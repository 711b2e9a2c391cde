// Starts Haskell's runtime in a seat's process, and says what only C can say: that memory is used up,
// and that the time was over. Linked into the same shared object as the agent.
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "Rts.h"

#define FIREBOX_EXPORT __attribute__((visibility("default")))

enum { STATUS_MEMORY = 71, STATUS_INTERRUPTED = 74 };

static char doing[64] = "loading";

static void say(const char *text) {
    while (*text) {
        ssize_t written = write(2, text, strlen(text));
        if (written <= 0) {
            return;
        }
        text += written;
    }
}

static void end_for_memory(void) {
    say("The agent ran out of memory during ");
    say(doing);
    say(".\nIt needs more memory than it may have.\n");
    _exit(STATUS_MEMORY);
}

static void heap_is_full(W_ request, W_ heap) {
    (void)request;
    (void)heap;
    end_for_memory();
}

static void system_refused(W_ request, const char *what) {
    (void)request;
    (void)what;
    end_for_memory();
}

static void interrupted(int number) {
    (void)number;
    say("The agent's time was over during ");
    say(doing);
    say(".\n");
    _exit(STATUS_INTERRUPTED);
}

// The runtime's options are ours alone; without its timer (-V0) it has no thread of its own.
FIREBOX_EXPORT void firebox_begin(const char *options) {
    static char name[] = "agent";
    static char *arguments[] = {name, NULL};
    int count = 1;
    char **given = arguments;
    RtsConfig config = defaultRtsConfig;
    config.rts_opts_enabled = RtsOptsAll;
    config.rts_opts = options;
    config.outOfHeapHook = heap_is_full;
    config.mallocFailHook = system_refused;
    hs_init_ghc(&count, &given, config);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = interrupted;
    sigaction(SIGUSR1, &action, NULL);
}

FIREBOX_EXPORT void firebox_doing(const char *what) { strncpy(doing, what, sizeof doing - 1); }
