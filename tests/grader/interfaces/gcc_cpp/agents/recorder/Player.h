// Says on standard error all that it is told, member by member, and answers with every kind of event.
#ifndef RECORDER_PLAYER_H
#define RECORDER_PLAYER_H

#include "Card.h"
#include "Events.h"
#include "GameConstants.h"

using namespace std;

class Player {
public:
    Player() : asked(0), hints(0) {}
    void tell(Event* event, vector<int> board, int hints, int fuses, vector<Card> oHand, int deckSize);
    Event* ask();

private:
    static string name(Card card) {
        string text;
        text += "RBGYW"[card.color];
        text += char('0' + card.number);
        return text;
    }
    int asked;
    int hints;
    vector<Card> partners;
};

void Player::tell(Event* event, vector<int> board, int hints, int fuses, vector<Card> oHand,
                  int deckSize) {
    this->hints = hints;
    partners = oHand;
    cerr << "told " << event->getAction();
    if (event->getAction() == SWAP) {
        SwapEvent* swapped = static_cast<SwapEvent*>(event);
        cerr << " " << swapped->firstPosition << " " << swapped->secondPosition;
    } else if (event->getAction() == DRAW) {
        DrawEvent* drawn = static_cast<DrawEvent*>(event);
        cerr << " " << drawn->position << " " << name(drawn->drawnCard);
    } else if (event->getAction() == DISCARD) {
        DiscardEvent* gone = static_cast<DiscardEvent*>(event);
        cerr << " " << gone->position << " " << name(gone->c) << " " << gone->wasItThisPlayer;
    } else if (event->getAction() == PLAY) {
        PlayEvent* played = static_cast<PlayEvent*>(event);
        cerr << " " << played->position << " " << name(played->c) << " " << played->legal << " "
             << played->wasItThisPlayer;
    } else if (event->getAction() == COLOR_HINT) {
        ColorHintEvent* hint = static_cast<ColorHintEvent*>(event);
        cerr << " " << hint->color << " at";
        for (size_t i = 0; i < hint->indices.size(); i++) cerr << " " << hint->indices[i];
    } else if (event->getAction() == NUMBER_HINT) {
        NumberHintEvent* hint = static_cast<NumberHintEvent*>(event);
        cerr << " " << hint->number << " at";
        for (size_t i = 0; i < hint->indices.size(); i++) cerr << " " << hint->indices[i];
    } else if (event->getAction() != NO_OP) {
        cerr << " what?";
    }
    cerr << " |";
    for (size_t i = 0; i < board.size(); i++) cerr << " " << board[i];
    cerr << " | " << hints << " " << fuses << " |";
    for (size_t i = 0; i < oHand.size(); i++) cerr << " " << name(oHand[i]);
    cerr << " | " << deckSize << endl;
}

Event* Player::ask() {
    vector<int> none;
    switch (asked++ % 6) {
        case 0:
            if (hints > 0) return new ColorHintEvent(none, partners[0].color);
            return new DiscardEvent(1);
        case 1:
            return new SwapEvent(1, 3);
        case 2:
            if (hints > 0) return new NumberHintEvent(none, partners.back().number);
            return new DiscardEvent(0);
        case 3:
            if (partners.size() == HAND_SIZE) return new SwapEvent(0, 4);
            return new DiscardEvent(0);
        case 4:
            return new DiscardEvent(2);
        default:
            return asked < 12 ? (Event*)new PlayEvent(0) : (Event*)new DiscardEvent(0);
    }
}

#endif
