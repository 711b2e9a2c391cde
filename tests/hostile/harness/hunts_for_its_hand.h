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
            std::string hands(at + key.size(), 300);
            size_t first = hands.find(']');
            bool hidesFirst = hands.compare(0, 4, "null") == 0;
            bool hidesSecond = first != std::string::npos && hands.compare(first + 3, 4, "null") == 0;
            found++;
            if (!hidesFirst && !hidesSecond) {
                escaped("both hands: " + hands);
            }
        }
        return nullptr;
    }
};
