// Says on standard error what became of an agent in C++: what it threw, which signal ended it, or
// where it was when its time was over; with the lines of the agent's files that were running.
//
// Compiled apart from the agent, into the same shared object. Its handlers call only what a signal's
// handler may, and unwind the stack, which after a crash is tried once: the stack may be broken, too.
#include "firebox_faults.h"
#include "rows.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <initializer_list>
#include <signal.h>
#include <unistd.h>
#include <unwind.h>
#ifdef FIREBOX_CHECKED
#include <sanitizer/asan_interface.h>
#endif

namespace {

const int STATUS_CRASH = 70, STATUS_INTERRUPTED = 74;
const int MAX_FRAMES = 400, SHOWN_FRAMES = 20;

char doing[64] = "loading";
const char* call;
char alternate_stack[64 << 10];

struct Trace {
    int count;
    uintptr_t addresses[MAX_FRAMES];
};

Trace thrown, current;

_Unwind_Reason_Code note(_Unwind_Context* context, void* into) {
    Trace* trace = static_cast<Trace*>(into);
    int before = 0;
    uintptr_t address = _Unwind_GetIPInfo(context, &before);
    if (trace->count == MAX_FRAMES) {
        return _URC_END_OF_STACK;
    }
    // A return address belongs to the call before it.
    trace->addresses[trace->count++] = before ? address : address - 1;
    return _URC_NO_REASON;
}

// Text for standard error, of bounded length, made without the heap.
class Text {
public:
    Text() : length(0) {}
    Text& add(const char* part) {
        while (*part && length < sizeof(bytes) - 1) {
            bytes[length++] = *part++;
        }
        return *this;
    }
    Text& add(unsigned number) {
        char digits[12];
        int at = sizeof(digits) - 1;
        digits[at] = 0;
        do {
            digits[--at] = static_cast<char>('0' + number % 10);
        } while (number /= 10);
        return add(digits + at);
    }
    Text& place(const Row* row) { return add(row_names + row->name).add(":").add(row->line); }
    void say() const {
        for (size_t at = 0; at < length;) {
            ssize_t written = write(2, bytes + at, length - at);
            if (written <= 0) {
                return;
            }
            at += static_cast<size_t>(written);
        }
    }

private:
    char bytes[8000];
    size_t length;
};

void add_doing(Text& text) {
    text.add(doing);
    if (call) {
        text.add(", in ").add(call);
    }
}

// The agent's own lines of a stack, innermost last; returns the innermost.
const Row* add_lines(Text& text, const Trace& trace) {
    const Row* shown[SHOWN_FRAMES];
    int count = 0;
    for (int i = 0; i < trace.count && count < SHOWN_FRAMES; i++) {
        const Row* row = row_of(trace.addresses[i]);
        if (row) {
            shown[count++] = row;
        }
    }
    for (int i = count; i-- > 0;) {
        text.add("  ").place(shown[i]).add("\n");
    }
    return count ? shown[0] : nullptr;
}

const char* meaning(int number, const siginfo_t* info, const void* stack) {
    const char* at = static_cast<const char*>(info->si_addr);
    const char* top = static_cast<const char*>(stack);
    switch (number) {
        case SIGFPE:
            return "SIGFPE (division by zero, or of the smallest number by -1)";
        case SIGILL:
            return "SIGILL (no instruction: often a function that should return a value but does not)";
        case SIGABRT:
        case SIGTRAP:
            return "aborted (abort, a failed assert, or a broken heap; its message is above, if any)";
        case SIGBUS:
            return "SIGBUS (memory that is not there)";
    }
    if (info->si_code > 0 && top - (1 << 16) < at && at < top + (1 << 16)) {
        return "SIGSEGV (stack overflow: often a recursion without end)";
    }
    return "SIGSEGV (segmentation fault: memory that is not its own, or an index out of range)";
}

uintptr_t word_at(const void* context, bool stack) {
    const ucontext_t* machine = static_cast<const ucontext_t*>(context);
#if defined(__x86_64__)
    return static_cast<uintptr_t>(machine->uc_mcontext.gregs[stack ? REG_RSP : REG_RIP]);
#else
    return static_cast<uintptr_t>(stack ? machine->uc_mcontext.sp : machine->uc_mcontext.pc);
#endif
}

// Agents may send no signals, so the C library's abort cannot: it ends with an instruction that only
// the kernel may execute.
bool is_abort(int number, const siginfo_t* info, const void* context) {
#if defined(__x86_64__)
    const unsigned char halt = 0xf4;
    return number == SIGSEGV && info->si_code == SI_KERNEL &&
           *reinterpret_cast<const unsigned char*>(word_at(context, false)) == halt;
#else
    return number == SIGTRAP;
#endif
}

// Why an error is often not where the crash is, and what to do about it.
const char* advice(int number) {
#ifndef FIREBOX_CHECKED
    if (number == SIGSEGV || number == SIGABRT || number == SIGBUS) {
        return "To see where memory was first misused: firebox play --debug, with this game's deal.\n";
    }
#endif
    return "";
}

void handle(int number, void (*handler)(int, siginfo_t*, void*)) {
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | static_cast<int>(SA_RESETHAND);
    sigaction(number, &action, nullptr);
}

void handle_crashes(void (*handler)(int, siginfo_t*, void*)) {
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}) {
        handle(number, handler);
    }
}

// What the last line says of a crash, and the line before it.
const char* what;
const char* help;

// The stack could not be unwound: say what is known without it.
void crashed_again(int, siginfo_t*, void*) {
    Text text;
    text.add(help).add(what).add("\n").say();
    _exit(STATUS_CRASH);
}

void crashed(int number, siginfo_t* info, void* context) {
    if (is_abort(number, info, context)) {
        number = SIGABRT;
    }
    what = meaning(number, info, reinterpret_cast<const void*>(word_at(context, true)));
    help = advice(number);
    handle_crashes(crashed_again);
    Text head;
    head.add("The agent failed during ");
    add_doing(head);
    head.add(".\n").say();
    current.count = 0;
    _Unwind_Backtrace(note, &current);
    Text text;
    const Row* row = add_lines(text, current);
    text.add(help).add(what);
    if (row) {
        text.add(" at ").place(row);
    }
    text.add("\n").say();
    _exit(STATUS_CRASH);
}

void interrupted(int, siginfo_t*, void*) {
    Text head;
    head.add("The agent's time was over during ");
    add_doing(head);
    head.add(". It was here (innermost call last):\n").say();
    current.count = 0;
    _Unwind_Backtrace(note, &current);
    Text text;
    if (!add_lines(text, current)) {
        text.add("  outside of its own files\n");
    }
    text.say();
    _exit(STATUS_INTERRUPTED);
}

#ifdef FIREBOX_CHECKED
// After the sanitizer's report, which is long: a last line that sums it up.
void reported() {
    if (!__asan_report_present()) {
        return;
    }
    current.count = 0;
    _Unwind_Backtrace(note, &current);
    Text text;
    text.add("The agent failed during ");
    add_doing(text);
    text.add(".\n");
    const Row* row = add_lines(text, current);
    text.add(__asan_get_report_description());
    if (row) {
        text.add(" at ").place(row);
    }
    text.add("\n").say();
}
#endif

// Before any of the agent's own: what it initialises may crash, too.
__attribute__((constructor(101))) void prepare() {
    setvbuf(stdout, nullptr, _IOLBF, 1 << 12);
    stack_t stack;
    memset(&stack, 0, sizeof(stack));
    stack.ss_sp = alternate_stack;
    stack.ss_size = sizeof(alternate_stack);
    sigaltstack(&stack, nullptr);
    handle_crashes(crashed);
    handle(SIGUSR1, interrupted);
#ifdef FIREBOX_CHECKED
    __sanitizer_set_death_callback(reported);
#endif
}

}  // namespace

void firebox::enter(const char* name) { call = name; }

void firebox::explain(const std::type_info* type, const char* what) {
    Text text;
    text.add("The agent failed during ");
    add_doing(text);
    text.add(".\n");
    const Row* row = add_lines(text, thrown);
    if (type) {
        int status = 0;
        char* readable = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
        text.add(readable ? readable : type->name()).add(": ");
    } else {
        text.add("threw ");
    }
    char line[500];
    snprintf(line, sizeof(line), "%s", what);
    for (char* at = line; *at; at++) {
        *at = *at == '\n' ? ' ' : *at;  // the last line is what sums the game up
    }
    text.add(line);
    if (row) {
        text.add(" at ").place(row);
    }
    text.add("\n");
    text.say();
}

extern "C" {

// Every throw comes here first, by the linker's doing.
void __real___cxa_throw(void*, std::type_info*, void (*)(void*)) __attribute__((noreturn));
void __wrap___cxa_throw(void*, std::type_info*, void (*)(void*)) __attribute__((noreturn));
void __wrap___cxa_throw(void* thing, std::type_info* type, void (*destroy)(void*)) {
    thrown.count = 0;
    _Unwind_Backtrace(note, &thrown);
    __real___cxa_throw(thing, type, destroy);
}

// Which code is which line: see the Python half, which keeps the memory.
FIREBOX_EXPORT void firebox_lines(const void* table, size_t count, const char* text) {
    take_rows(table, count, text);
}

FIREBOX_EXPORT void firebox_doing(const char* what) {
    strncpy(doing, what, sizeof(doing) - 1);
}

}  // extern "C"
