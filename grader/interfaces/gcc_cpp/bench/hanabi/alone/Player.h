// Plays games in this process as the original engine's loop does, and says how long that took. It
// stands in for the Player.h beside Light.h.
#include <chrono>
#include <random>
#include <stdexcept>

namespace light {
#include "Light.h"
}

const int GAMES = 1000;

class Engine {
public:
    explicit Engine(std::mt19937& chance) : board(5), hints(MAX_HINTS), fuses(3), turns(0) {
        static const int copies[] = {3, 2, 2, 2, 1};
        for (int color = 0; color < NUM_COLORS; color++) {
            for (int number = 1; number <= NUM_NUMBERS; number++) {
                deck.insert(deck.end(), copies[number - 1], Card(color, number));
            }
        }
        std::shuffle(deck.begin(), deck.end(), chance);
    }

    int play() {
        deal();
        for (int mover = 0, left = 2; fuses && score() < 25 && left; mover = 1 - mover) {
            left -= deck.empty();
            move(mover, players[mover].ask());
            turns++;
        }
        return turns;
    }

private:
    void deal() {
        light::Player first[2];
        for (int i = 0; i < HAND_SIZE; i++) {
            hands[0].push_back(next());
            hands[1].push_back(next());
            for (int player = 0; player < 2; player++) {
                DrawEvent* event = new DrawEvent(i, hands[1 - player].back());
                first[player].tell(event, board, hints, fuses, hands[1 - player], deck.size());
                delete event;
            }
        }
        players[0] = first[0];
        players[1] = first[1];
    }

    void move(int mover, Event* event) {
        switch (event->getAction()) {
            case PLAY:
                play(mover, static_cast<PlayEvent*>(event));
                break;
            case DISCARD:
                discard(mover, static_cast<DiscardEvent*>(event));
                break;
            case NUMBER_HINT:
                hint(mover, static_cast<NumberHintEvent*>(event));
                break;
            default:
                throw std::logic_error("the light agent does nothing else");
        }
    }

    void play(int mover, PlayEvent* event) {
        event->c = hands[mover][event->position];
        event->legal = board[event->c.color] + 1 == event->c.number;
        if (event->legal) {
            board[event->c.color]++;
            hints += event->c.number == 5 && hints < MAX_HINTS;
        } else {
            fuses--;
        }
        hands[mover].erase(hands[mover].begin() + event->position);
        tellBoth(mover, event, event->wasItThisPlayer);
        delete event;
        draw(mover, 4);
    }

    void discard(int mover, DiscardEvent* event) {
        event->c = hands[mover][event->position];
        tellBoth(mover, event, event->wasItThisPlayer);
        hints += hints < MAX_HINTS;
        hands[mover].erase(hands[mover].begin() + event->position);
        delete event;
        draw(mover, 5);
    }

    void hint(int mover, NumberHintEvent* event) {
        hints--;
        vector<Card>& hand = hands[1 - mover];
        for (size_t i = 0; i < hand.size(); i++) {
            if (hand[i].number == event->number) {
                event->indices.push_back(i);
            }
        }
        tell(1 - mover, event);
        delete event;
    }

    void draw(int mover, int position) {
        if (deck.empty()) {
            Event* nothing = new Event();
            tell(1 - mover, nothing);
            delete nothing;
            return;
        }
        hands[mover].push_back(next());
        DrawEvent* event = new DrawEvent(position, hands[mover].back());
        tell(1 - mover, event);
        delete event;
    }

    void tellBoth(int mover, Event* event, bool& wasItThisPlayer) {
        wasItThisPlayer = false;
        tell(1 - mover, event);
        wasItThisPlayer = true;
        tell(mover, event);
    }

    void tell(int player, Event* event) {
        players[player].tell(event, board, hints, fuses, hands[1 - player], deck.size());
    }

    Card next() {
        Card card = deck.back();
        deck.pop_back();
        return card;
    }

    int score() {
        int sum = 0;
        for (int i = 0; i < NUM_COLORS; i++) {
            sum += board[i];
        }
        return sum;
    }

    light::Player players[2];
    vector<Card> hands[2], deck;
    vector<int> board;
    int hints, fuses, turns;
};

class Player {
public:
    Player() {
        std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
        std::mt19937 chance(1);
        int turns = 0;
        for (int game = 0; game < GAMES; game++) {
            turns += Engine(chance).play();
        }
        long us = std::chrono::duration_cast<std::chrono::microseconds>(
            std::chrono::steady_clock::now() - began).count();
        throw std::runtime_error("alone: " + std::to_string(GAMES) + " games, "
            + std::to_string(turns) + " turns, " + std::to_string(us) + " us");
    }

    void tell(Event*, vector<int>, int, int, vector<Card>, int) {}
    Event* ask() { return NULL; }
};
