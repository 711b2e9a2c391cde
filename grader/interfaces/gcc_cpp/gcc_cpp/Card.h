// A card: a color of GameConstants.h and a number from 1 to 5.
#ifndef CARD_H  // there are two copies: one lies beside the agent's files
#define CARD_H

#include "GameConstants.h"

class Card {
public:
    Card() : color(RED), number(0) {}
    Card(const Card& other) : color(other.color), number(other.number) {}
    Card(int c, int n) : color(c), number(n) {}
    Card& operator=(const Card& other) {
        color = other.color;
        number = other.number;
        return *this;
    }

    // For people: "Red 1".
    string toString() const {
        static const char* const names[] = {"Red", "Blue", "Green", "Yellow", "White"};
        bool known = 0 <= color && color < NUM_COLORS;
        return string(known ? names[color] : "?") + " " + to_string(number);
    }

    bool operator==(const Card& other) const {
        return color == other.color && number == other.number;
    }
    bool operator!=(const Card& other) const { return !(*this == other); }

    int color;
    int number;
};

#endif
