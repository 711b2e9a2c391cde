/*
 * Answers with nothing.
 *
 * Verdict: illegal
 */
#include "hostile.h"

class Player : public Hostile {
public:
    Event* ask() {
        Event* made = Hostile::ask();
        return asked ? nullptr : made;
    }

    bool asked = false;
    Event* answer;

protected:
    Event* attack() {
        answer = nullptr;
        asked = true;
        return nullptr;
    }
};
