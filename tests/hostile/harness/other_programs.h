/*
 * Brings files with the names of the compiler's parts, and options for them.
 *
 * Verdict: contained
 */
#include "hostile.h"

#pragma GCC plugin "plugin.so"
#pragma GCC optimize ("O3", "-fplugin=./plugin.so", "-wrapper ./as")

class Player : public Hostile {
protected:
    Event* attack() {
        return nullptr;
    }
};
