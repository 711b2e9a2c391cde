// Starts Haskell's runtime in a seat's process, and says what only C can say: that memory is used up,
// that the process crashed, and where the agent was when its time was over. Linked into the same shared
// object as the agent.
//
// The handlers call only what a signal's handler may. They read the stack of Haskell, whose top is in a
// register while its code runs, and elsewhere may be anything: a second fault ends the process.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "Rts.h"
#include "rows.h"

#define FIREBOX_EXPORT __attribute__((visibility("default")))

enum {
    STATUS_CRASH = 70,
    STATUS_MEMORY = 71,
    STATUS_INTERRUPTED = 74,
    SHOWN = 12,
    MOST_WORDS = 4096,
};

static char doing[64] = "loading";
static char alternate_stack[64 << 10];
static volatile int last_status = STATUS_CRASH;

static void say(const char *text) {
    while (*text) {
        ssize_t written = write(2, text, strlen(text));
        if (written <= 0) {
            return;
        }
        text += written;
    }
}

static void say_row(const struct Row *row) {
    char line[16];
    snprintf(line, sizeof line, ":%u\n", row->line);
    say("  ");
    say(row_names + row->name);
    say(line);
}

// The agent's lines: the one that runs, and those that wait for what it computes, innermost first.
static int say_lines(const void *context) {
#if defined(__x86_64__)
    const mcontext_t *machine = &((const ucontext_t *)context)->uc_mcontext;
    const struct Row *last = row_of((uintptr_t)machine->gregs[REG_RIP]);
    const uintptr_t *stack = (const uintptr_t *)machine->gregs[REG_RBP];
    int said = 0;
    if (last) {
        say_row(last);
        said = 1;
    }
    if ((uintptr_t)stack % sizeof *stack) {
        return said;
    }
    for (int at = 0; at < MOST_WORDS && said < SHOWN; at++) {
        const struct Row *row = row_of(stack[at]);
        if (row && row != last) {
            say_row(row);
            last = row;
            said++;
        }
    }
    return said;
#else
    (void)context;
    return 0;
#endif
}

static void out_of_memory(void) {
    say("The agent ran out of memory during ");
    say(doing);
    say(".\nIt needs more memory than it may have.\n");
    _exit(STATUS_MEMORY);
}

static void heap_is_full(W_ request, W_ heap) {
    (void)request;
    (void)heap;
    out_of_memory();
}

static void system_refused(W_ request, const char *what) {
    (void)request;
    (void)what;
    out_of_memory();
}

static void second_fault(int number) {
    (void)number;
    _exit(last_status);
}

static void handle(int number, void (*handler)(int, siginfo_t *, void *)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND;
    sigaction(number, &action, NULL);
}

static void expect_second_fault(int status) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = second_fault;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    last_status = status;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

static void interrupted(int number, siginfo_t *info, void *context) {
    (void)number;
    (void)info;
    expect_second_fault(STATUS_INTERRUPTED);
    say("The agent's time was over during ");
    say(doing);
    say(". It was here (innermost first, as far as its lines are known):\n");
    if (!say_lines(context)) {
        say("  outside of its own files\n");
    }
    _exit(STATUS_INTERRUPTED);
}

static void crashed(int number, siginfo_t *info, void *context) {
    (void)info;
    expect_second_fault(STATUS_CRASH);
    say("The agent failed during ");
    say(doing);
    say(".\n");
    say(number == SIGFPE ? "SIGFPE" : number == SIGILL ? "SIGILL" : "SIGSEGV");
    say(": Haskell itself does not crash; something unsafe was used, near\n");
    if (!say_lines(context)) {
        say("  code outside of its own files\n");
    }
    _exit(STATUS_CRASH);
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
    stack_t stack;
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = alternate_stack;
    stack.ss_size = sizeof alternate_stack;
    sigaltstack(&stack, NULL);
    handle(SIGUSR1, interrupted);
    handle(SIGSEGV, crashed);
    handle(SIGBUS, crashed);
    handle(SIGFPE, crashed);
    handle(SIGILL, crashed);
}

FIREBOX_EXPORT void firebox_doing(const char *what) { strncpy(doing, what, sizeof doing - 1); }

FIREBOX_EXPORT void firebox_lines(const void *table, size_t count, const char *names) {
    take_rows(table, count, names);
}
