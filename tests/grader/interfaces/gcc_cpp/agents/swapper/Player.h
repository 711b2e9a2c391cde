// Orders its hand before every other move: swaps in both directions, of a card with itself, and none.
#pragma once
#include "Events.h"
#include "GameConstants.h"

class Player {
public:
    Player() : swaps(0), heard(0), hints(MAX_HINTS) {}
    void tell(Event* event, vector<int> board, int hints, int fuses, vector<Card> oHand, int deckSize) {
        if (event->getAction() == SWAP) {
            SwapEvent* swap = static_cast<SwapEvent*>(event);
            const int told[] = {31, 2, 22};
            if (told[heard % 3] != 10 * swap->firstPosition + swap->secondPosition) throw "another swap";
            // The partner's cards have changed places already.
            if (!(oHand[swap->firstPosition] == partners[swap->secondPosition])) throw "unswapped";
            heard++;
        }
        this->hints = hints;
        partners = oHand;
    }
    Event* ask() {
        switch (swaps++ % 4) {
            case 0:
                return new SwapEvent(3, 1);
            case 1: {
                SwapEvent* swap = new SwapEvent();
                swap->firstPosition = 0;
                swap->secondPosition = 2;
                return swap;
            }
            case 2:
                return new SwapEvent(2, 2);
        }
        vector<int> none;
        if (hints > 0) return new ColorHintEvent(none, partners[0].color);
        return new DiscardEvent(3);
    }

private:
    int swaps, heard, hints;
    vector<Card> partners;
};
