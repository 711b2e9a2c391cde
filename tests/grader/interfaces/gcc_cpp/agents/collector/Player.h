// Keeps whatever it is told, in the standard library's containers, and answers with events that it
// made empty and filled in. It discards although all hints are there, and strikes out.
#include <deque>
#include <list>
#include <map>
#include <set>
#include <sstream>

#include "Card.h"
#include "Events.h"

using namespace std;

struct Seen {
    Seen(int action, string cards) : action(action), cards(cards) {}
    int action;
    string cards;
};

class Player {
public:
    Player() { turn = 0; }
    Player(const Player& other) { *this = other; }
    void tell(Event* event, vector<int> board, int hints, int fuses, vector<Card> oHand, int deckSize) {
        stringstream text;
        for (vector<Card>::iterator it = oHand.begin(); it != oHand.end(); ++it)
            text << it->toString() << ",";
        story.push_back(Seen(event->getAction(), text.str()));
        counted[event->getAction()]++;
        boards.push_back(board);
        decks.insert(deckSize);
        partners = deque<Card>(oHand.begin(), oHand.end());
        this->hints = hints;
        cout << "seen " << text.str() << endl;
    }
    Event* ask() {
        turn++;
        if (turn == 1 && hints == MAX_HINTS) {
            DiscardEvent* discard = new DiscardEvent();
            discard->position = HAND_SIZE - 1;
            return discard;
        }
        if (turn == 2) {
            ColorHintEvent* hint = new ColorHintEvent();
            hint->color = partners.front().color;
            return hint;
        }
        if (turn == 3) {
            NumberHintEvent* hint = new NumberHintEvent();
            hint->number = partners.back().number;
            return hint;
        }
        PlayEvent* play = new PlayEvent();
        play->position = turn % HAND_SIZE;
        return play;
    }

private:
    int turn, hints;
    list<Seen> story;
    map<int, int> counted;
    vector<vector<int> > boards;
    set<int> decks;
    deque<Card> partners;
};
