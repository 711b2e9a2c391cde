// Starts Haskell's runtime in a seat's process, and says what only C can say: that memory is used up,
// that the process crashed, and where the agent was when its time was over or something was thrown.
// Linked into the same shared object as the agent.
//
// The handlers call only what a signal's handler may. They look for the agent's lines on the stack of
// the Haskell thread that runs: its words are, among others, the addresses of what waits there. Whatever
// else is found in doing so, a second fault ends the process.
#define _DEFAULT_SOURCE
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

#if defined(__x86_64__)
#define REGISTER(context, name) (((ucontext_t *)(context))->uc_mcontext.gregs[REG_##name])
#define CAN_LOOK 1
#else
#define CAN_LOOK 0
#endif

#if CAN_LOOK
// The line that a word of the stack means: it is where something goes on; or it says that the value of
// the next word is being computed, which begins with the address of its code.
static const struct Row *waits_at(const StgWord *word, const StgWord *end) {
    int computes = *word == (StgWord)&stg_upd_frame_info || *word == (StgWord)&stg_bh_upd_frame_info;
    return row_of(computes && word + 1 < end ? *(const StgWord *)word[1] : *word);
}
#endif

// The agent's lines: the one that runs, and those that wait for what it computes, innermost first.
static int say_lines(const void *context) {
    int said = 0;
#if CAN_LOOK
    const StgStack *chunk = ((const CapabilityPublic *)&MainCapability)->r.rCurrentTSO->stackobj;
    const StgWord *end = chunk->stack + chunk->stack_size;
    const StgWord *top = (const StgWord *)REGISTER(context, RBP);  // where code in Haskell has it
    const struct Row *last = row_of((uintptr_t)REGISTER(context, RIP));
    if (last) {
        say_row(last);
        said = 1;
    }
    if (top < chunk->stack || top >= end) {
        top = (const StgWord *)chunk->sp;
    }
    for (; top < end && said < SHOWN; top++) {
        const struct Row *row = waits_at(top, end);
        if (row && row != last) {
            say_row(row);
            last = row;
            said++;
        }
    }
#else
    (void)context;
#endif
    return said;
}

// Never returns.
int firebox_out_of_memory(void) {
    say("The agent ran out of memory during ");
    say(doing);
    say(".\nIt needs more memory than it may have.\n");
    _exit(STATUS_MEMORY);
}

static void heap_is_full(W_ request, W_ heap) {
    (void)request;
    (void)heap;
    firebox_out_of_memory();
}

static void system_refused(W_ request, const char *what) {
    (void)request;
    (void)what;
    firebox_out_of_memory();
}

// How the runtime ends when the system gives it no more memory for its heap.
static void ends(int status, void *nothing) {
    (void)nothing;
    if (status == EXIT_HEAPOVERFLOW) {
        firebox_out_of_memory();
    }
}

static void second_fault(int number) {
    (void)number;
    _exit(last_status);
}

static void handle(int number, void (*handler)(int, siginfo_t *, void *)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | (int)SA_RESETHAND;
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

#if CAN_LOOK
// Everything that is thrown in Haskell goes through here.
#define RAISE ((char *)stg_raisezh)
static char taken;

static int write_code(char *where, char byte) {
    uintptr_t page = (uintptr_t)where & ~(uintptr_t)4095;
    if (mprotect((void *)page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC)) {
        return 0;
    }
    *where = byte;
    return !mprotect((void *)page, 4096, PROT_READ | PROT_EXEC);
}

static void thrown(int number, siginfo_t *info, void *context) {
    (void)number;
    (void)info;
    expect_second_fault(STATUS_CRASH);
    say("Thrown here (innermost first, as far as its lines are known):\n");
    if (!say_lines(context)) {
        say("  outside of its own files\n");
    }
    if (!write_code(RAISE, taken)) {
        _exit(STATUS_CRASH);
    }
    REGISTER(context, RIP) = (greg_t)RAISE;
}
#endif

// From now on the first exception says where it is thrown. Returns whether that can be had.
int firebox_watch(void) {
#if CAN_LOOK
    const char breakpoint = (char)0xcc;
    taken = *RAISE;
    handle(SIGTRAP, thrown);
    return write_code(RAISE, breakpoint);
#else
    return 0;
#endif
}

// No more, if nothing was thrown.
void firebox_unwatch(void) {
#if CAN_LOOK
    write_code(RAISE, taken);
#endif
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
    on_exit(ends, NULL);
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
