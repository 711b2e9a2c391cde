// The engine's half that has to be C++: it makes players, tells and asks them. Compiled together with
// a student's Player.h into one shared object, whose functions below the Python half calls.
#include "GameConstants.h"
#include "Card.h"
#include "Events.h"
#include "Player.h"

#include "firebox.h"

namespace firebox_engine {  // a name that no student's code has

static Player* player;

// The event of these numbers: its action, position (or first, or color, or number), second, the card's
// color and number, whether it was legal, whether it was this player's, the number of indices, these.
static Event* madeEvent(const int* told) {
    Card card(told[3], told[4]);
    ::std::vector<int> indices(told + 8, told + 8 + told[7]);
    switch (told[0]) {
        case SWAP:
            return new SwapEvent(told[1], told[2]);
        case DRAW:
            return new DrawEvent(told[1], card);
        case DISCARD: {
            DiscardEvent* event = new DiscardEvent(told[1]);
            event->c = card;
            event->wasItThisPlayer = told[6] != 0;
            return event;
        }
        case PLAY: {
            PlayEvent* event = new PlayEvent(told[1]);
            event->c = card;
            event->legal = told[5] != 0;
            event->wasItThisPlayer = told[6] != 0;
            return event;
        }
        case COLOR_HINT:
            return new ColorHintEvent(indices, told[1]);
        case NUMBER_HINT:
            return new NumberHintEvent(indices, told[1]);
        default:
            return new Event();
    }
}

// Events have no virtual destructor: each is deleted as what it is.
static void deleteEvent(Event* event) {
    switch (event->getAction()) {
        case SWAP:
            delete static_cast<SwapEvent*>(event);
            break;
        case DRAW:
            delete static_cast<DrawEvent*>(event);
            break;
        case DISCARD:
            delete static_cast<DiscardEvent*>(event);
            break;
        case PLAY:
            delete static_cast<PlayEvent*>(event);
            break;
        case COLOR_HINT:
            delete static_cast<ColorHintEvent*>(event);
            break;
        case NUMBER_HINT:
            delete static_cast<NumberHintEvent*>(event);
            break;
        default:
            delete event;
    }
}

static void readAnswer(Event* event, int* answer) {
    answer[0] = event->getAction();
    switch (answer[0]) {
        case SWAP:
            answer[1] = static_cast<SwapEvent*>(event)->firstPosition;
            answer[2] = static_cast<SwapEvent*>(event)->secondPosition;
            break;
        case DISCARD:
            answer[1] = static_cast<DiscardEvent*>(event)->position;
            break;
        case PLAY:
            answer[1] = static_cast<PlayEvent*>(event)->position;
            break;
        case COLOR_HINT:
            answer[1] = static_cast<ColorHintEvent*>(event)->color;
            break;
        case NUMBER_HINT:
            answer[1] = static_cast<NumberHintEvent*>(event)->number;
    }
}

extern "C" {

// Make the player that is told of the deal.
FIREBOX_EXPORT int firebox_begin(unsigned seed) {
    srand(seed);
    return firebox::guarded("Player()", [] { player = new Player(); });
}

// After the deal: the player that plays is another one, which takes the first one's state by
// assignment. The first is kept: what it points to may be shared.
FIREBOX_EXPORT int firebox_settle() {
    return firebox::guarded("operator=", [] {
        Player* other = new Player();
        *other = *player;
        player = other;
    });
}

FIREBOX_EXPORT int firebox_tell(const int* told, const int* board, int hints, int fuses,
                                const int* hand, int cards, int deck) {
    return firebox::guarded("tell()", [&] {
        ::std::vector<Card> partners;
        for (int i = 0; i < cards; i++) {
            partners.push_back(Card(hand[2 * i], hand[2 * i + 1]));
        }
        Event* event = madeEvent(told);
        player->tell(event, ::std::vector<int>(board, board + NUM_COLORS), hints, fuses, partners,
                     deck);
        deleteEvent(event);
    });
}

// The action comes first in the answer; -1 stands for a null pointer.
FIREBOX_EXPORT int firebox_ask(int* answer) {
    return firebox::guarded("ask()", [&] {
        Event* event = player->ask();
        answer[0] = -1;
        if (event) {
            readAnswer(event, answer);
            deleteEvent(event);
        }
    });
}

}  // extern "C"

}  // namespace firebox_engine

// Player.cpp, if nothing else includes it. Last: its errors are then the only ones.
#ifdef FIREBOX_DEFINITIONS
#include FIREBOX_DEFINITIONS
#endif
