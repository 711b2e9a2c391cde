// What the hostile agents in C++ share: lies beside each of them when it plays.
//
// An agent is armed in games in which its partner's first card has an odd number, and plays honestly
// in the others, so that one batch shows both an attack and the next game on the same seat. An
// attempt that must be refused goes through `refused`, `denied` or `unreadable`: if it succeeds, the
// agent crashes and says so.
#pragma once

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

// Descriptors of the game's messages in an agent's process.
const int PROTOCOL_IN = 3, PROTOCOL_OUT = 4;

// The attack succeeded: crash, so that the test sees it.
inline void escaped(const std::string& what) { throw std::runtime_error("ESCAPED: " + what); }

// The result of something that must fail.
inline void refused(const std::string& what, long result) {
    if (result >= 0) {
        escaped(what + ": " + std::to_string(result));
    }
}

// Make system calls that a filter must refuse before it looks at their arguments.
inline void denied(std::initializer_list<long> numbers) {
    for (long number : numbers) {
        long result = syscall(number, 0, 0, 0, 0, 0, 0);
        std::string name = "call " + std::to_string(number);
        refused(name, result);
        if (errno != EPERM && errno != ENOSYS) {
            escaped(name + " reached the kernel: " + strerror(errno));
        }
    }
}

// Try to read files that are none of an agent's business, and to write them.
inline void unreadable(std::initializer_list<const char*> paths) {
    for (const char* path : paths) {
        refused(std::string("read ") + path, open(path, O_RDONLY));
        refused(std::string("write ") + path, open(path, O_WRONLY | O_CREAT, 0600));
    }
}

// Compute until somebody ends it.
inline void forever() {
    for (volatile unsigned long i = 0;; i++) {
    }
}

// Plays honestly, but attacks on its second turn of an armed game.
class Hostile {
public:
    Hostile() : armed(false), turns(0) {}
    virtual ~Hostile() {}

    void tell(Event* event, std::vector<int>, int, int, std::vector<Card> hand, int deck) {
        if (event->getAction() == DRAW && deck == 48) {
            armed = hand[0].number % 2 == 1;
        }
    }

    Event* ask() {
        Event* instead = ++turns == 2 && armed ? attack() : nullptr;
        return instead ? instead : honest();
    }

protected:
    // Do harm; what it returns, if anything, becomes the action.
    virtual Event* attack() = 0;

    // A legal action that makes a long game.
    static Event* honest() { return new DiscardEvent(0); }

    bool armed;
    int turns;
};
