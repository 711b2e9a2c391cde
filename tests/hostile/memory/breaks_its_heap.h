/*
 * Writes beyond what it was given, and takes more.
 *
 * Verdict: crash
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        char* given = new char[24];
        memset(given, 0xff, 4096);
        for (int i = 0; i < 1000; i++) {
            delete[] new char[24 + i];
        }
        abort();
    }
};
