/*
 * Catches what says that memory is over, and plays on.
 *
 * Verdict: contained
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        for (int i = 0; i < 3; i++) {
            try {
                std::vector<char> huge(1 << 30);
            } catch (const std::bad_alloc&) {
                continue;
            }
        }
        return nullptr;
    }
};
