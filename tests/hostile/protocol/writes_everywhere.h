/*
 * Writes an answer into every descriptor that there may be.
 *
 * Verdict: malformed
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        for (int number = 0; number < 1024; number++) {
            std::string answer = "{\"type\":\"action\",\"turn\":" + std::to_string(number) + ",\"action\":{}}\n";
            (void)!write(number, answer.data(), answer.size());
        }
        return nullptr;
    }
};
