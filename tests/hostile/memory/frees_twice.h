/*
 * Frees what it has freed.
 *
 * Verdict: crash
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        int* twice = new int[100];
        delete[] twice;
        delete[] twice;
        return nullptr;
    }
};
