// What hints say about a hand: for each card, which it may still be.
#pragma once

#include "Card.h"

class Knowledge {
public:
    void add() { cards.push_back(vector<bool>(NUM_COLORS * NUM_NUMBERS, true)); }
    void remove(int at) { cards.erase(cards.begin() + at); }
    int size() const { return cards.size(); }
    void color(const vector<int>& at, int color) {
        for (int i = 0; i < size(); i++) {
            bool hit = find(at.begin(), at.end(), i) != at.end();
            for (int n = 1; n <= NUM_NUMBERS; n++)
                for (int c = 0; c < NUM_COLORS; c++)
                    if ((c == color) != hit) cards[i][index(c, n)] = false;
        }
    }
    void number(const vector<int>& at, int number) {
        for (int i = 0; i < size(); i++) {
            bool hit = find(at.begin(), at.end(), i) != at.end();
            for (int n = 1; n <= NUM_NUMBERS; n++)
                for (int c = 0; c < NUM_COLORS; c++)
                    if ((n == number) != hit) cards[i][index(c, n)] = false;
        }
    }
    template <typename Test>
    bool surely(int at, Test test) const {
        for (int n = 1; n <= NUM_NUMBERS; n++)
            for (int c = 0; c < NUM_COLORS; c++)
                if (cards[at][index(c, n)] && !test(Card(c, n))) return false;
        return true;
    }
    bool knowsColor(int at) const {
        int found = 0;
        for (int c = 0; c < NUM_COLORS; c++) {
            bool may = false;
            for (int n = 1; n <= NUM_NUMBERS; n++) may = may || cards[at][index(c, n)];
            found += may;
        }
        return found == 1;
    }
    bool knowsNumber(int at) const {
        int found = 0;
        for (int n = 1; n <= NUM_NUMBERS; n++) {
            bool may = false;
            for (int c = 0; c < NUM_COLORS; c++) may = may || cards[at][index(c, n)];
            found += may;
        }
        return found == 1;
    }
    bool touched(int at) const { return knowsColor(at) || knowsNumber(at); }

private:
    static int index(int color, int number) { return color * NUM_NUMBERS + number - 1; }
    vector<vector<bool> > cards;
};
