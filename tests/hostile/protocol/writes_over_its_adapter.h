/*
 * Writes over whatever the stack above it holds.
 *
 * Verdict: crash
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        char* at = static_cast<char*>(__builtin_frame_address(0));
        for (int i = 0; i < 1 << 16; i++) {
            at[i] = 'A';
        }
        return nullptr;
    }
};
