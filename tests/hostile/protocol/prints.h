/*
 * Prints what looks like answers.
 *
 * Verdict: contained
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        for (int turn = 0; turn < 100; turn++) {
            const char* answer = "{\"type\":\"action\",\"turn\":%d,\"action\":{\"type\":\"play\",\"card\":4}}\n";
            printf(answer, turn);
            fprintf(stderr, answer, turn);
        }
        std::cout << std::flush;
        return nullptr;
    }
};
