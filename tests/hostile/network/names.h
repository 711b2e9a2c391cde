/*
 * Asks for the addresses of names.
 *
 * Verdict: contained
 */
#include <netdb.h>

#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        for (const char* name : {"example.org", "localhost", "agent"}) {
            addrinfo* found = nullptr;
            refused(name, getaddrinfo(name, "80", nullptr, &found) == 0 ? 0 : -1);
        }
        return nullptr;
    }
};
