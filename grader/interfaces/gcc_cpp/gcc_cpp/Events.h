// What a player is told, and what it answers. No member is virtual: whoever has an Event* asks it for
// its action and casts it to the class that goes with that.
#ifndef EVENTS_H  // there are two copies: one lies beside the agent's files
#define EVENTS_H

#include "Card.h"

class Event {
public:
    Event() : action(NO_OP) {}
    Event(const Event& other) : action(other.action) {}
    Event& operator=(const Event& other) {
        action = other.action;
        return *this;
    }
    int getAction() const { return action; }

protected:
    int action;
};

// Two cards of one's own hand change places; the same player goes on.
class SwapEvent : public Event {
public:
    SwapEvent() : firstPosition(0), secondPosition(0) { action = SWAP; }
    SwapEvent(int first, int second) : firstPosition(first), secondPosition(second) {
        action = SWAP;
    }
    int firstPosition;
    int secondPosition;
};

// The partner drew a card.
class DrawEvent : public Event {
public:
    DrawEvent() : position(0) { action = DRAW; }
    DrawEvent(int pos, Card card) : position(pos), drawnCard(card) { action = DRAW; }
    int position;
    Card drawnCard;
};

class DiscardEvent : public Event {
public:
    DiscardEvent() : position(0), wasItThisPlayer(false) { action = DISCARD; }
    DiscardEvent(int pos) : position(pos), wasItThisPlayer(false) { action = DISCARD; }
    int position;
    Card c;
    bool wasItThisPlayer;
};

class PlayEvent : public Event {
public:
    PlayEvent() : position(0), legal(false), wasItThisPlayer(false) { action = PLAY; }
    PlayEvent(int pos) : position(pos), legal(false), wasItThisPlayer(false) { action = PLAY; }
    int position;
    Card c;
    bool legal;
    bool wasItThisPlayer;
};

// The indices of a hint that a player gives are the engine's to fill.
class ColorHintEvent : public Event {
public:
    ColorHintEvent() : color(RED) { action = COLOR_HINT; }
    ColorHintEvent(vector<int> touched, int c) : indices(touched), color(c) {
        action = COLOR_HINT;
    }
    vector<int> indices;
    int color;
};

class NumberHintEvent : public Event {
public:
    NumberHintEvent() : number(0) { action = NUMBER_HINT; }
    NumberHintEvent(vector<int> touched, int n) : indices(touched), number(n) {
        action = NUMBER_HINT;
    }
    vector<int> indices;
    int number;
};

#endif
