/*
 * Asks for a gigabyte at once.
 *
 * Verdict: memory
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        char* huge = new char[1 << 30];
        huge[1 << 20] = 1;
        return nullptr;
    }
};
