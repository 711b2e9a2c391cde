/*
 * Lets a vector grow without end.
 *
 * Verdict: memory
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        std::vector<std::string> words;
        for (;;) {
            words.push_back(std::string(1000, 'x'));
        }
    }
};
