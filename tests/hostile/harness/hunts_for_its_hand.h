/*
 * Looks through the memory of its process for the cards that it holds.
 *
 * Verdict: contained
 */
#include "hostile.h"

// Without a pipe, the kernel says by a call that fails whether memory can be read.
static bool isThere(const char* page) {
    return access(page, F_OK) == 0 || errno != EFAULT;
}

class Player : public Hostile {
public:
    int found = 0;

protected:
    Event* attack() {
        const char* top = static_cast<const char*>(sbrk(0));
        const char* bottom = top;
        while (isThere(bottom - 4096)) {
            bottom -= 4096;
        }
        const std::string key = std::string("\"hands\"") + ":[[";
        for (const char* at = bottom; at + 400 < top; at++) {
            if (memcmp(at, key.data(), key.size()) != 0) {
                continue;
            }
            // A hand that is hidden is null: of two that are shown, the first is its own or the other is.
            std::string hands(at + key.size(), 60);
            if (hands.find("],[") != std::string::npos) {
                escaped("both hands: " + hands);
            }
            found++;
        }
        return nullptr;
    }
};
