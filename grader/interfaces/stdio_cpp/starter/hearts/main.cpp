// An agent in C++ that speaks the protocol itself, over standard input and output.
//
// It ducks under the trick if it can, and discards points when it can't follow suit.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

using nlohmann::json;

using Cards = std::vector<std::string>;

// Return a key that sorts cards by rank, then by suit.
int order(const std::string& card) {
    static const std::string suits = "CDSH";
    static const std::string ranks = "23456789TJQKA";
    return 4 * static_cast<int>(ranks.find(card[1])) + static_cast<int>(suits.find(card[0]));
}

bool lower(const std::string& one, const std::string& other) {
    return order(one) < order(other);
}

std::string highest(const Cards& cards) {
    return *std::max_element(cards.begin(), cards.end(), lower);
}

std::string lowest(const Cards& cards) {
    return *std::min_element(cards.begin(), cards.end(), lower);
}

// Return the highest card that does not take the trick; if all of them do, the lowest.
std::string follow(const json& trick, const Cards& cards) {
    Cards following;
    for (const json& each : trick) {
        std::string card = each.at("card");
        if (card[0] == cards[0][0]) {
            following.push_back(card);
        }
    }
    std::string best = highest(following);
    Cards below;
    for (const std::string& card : cards) {
        if (lower(card, best)) {
            below.push_back(card);
        }
    }
    return below.empty() ? lowest(cards) : highest(below);
}

// Return the queen of spades, else the highest heart, else the highest card.
std::string discard(const Cards& cards) {
    if (std::count(cards.begin(), cards.end(), "SQ")) {
        return "SQ";
    }
    Cards hearts;
    for (const std::string& card : cards) {
        if (card[0] == 'H') {
            hearts.push_back(card);
        }
    }
    return highest(hearts.empty() ? cards : hearts);
}

json choose(const json& seen, const json& legal) {
    Cards cards;
    for (const json& action : legal) {
        cards.push_back(action.at("card"));
    }
    if (seen.at("phase") == "pass") {
        return {{"type", "pass"}, {"card", highest(cards)}};
    }
    const json& trick = seen.at("trick");
    std::string card;
    if (trick.empty()) {
        card = lowest(cards);
    } else if (cards[0][0] == trick[0].at("card").get<std::string>()[0]) {
        card = follow(trick, cards);
    } else {
        card = discard(cards);
    }
    return {{"type", "play"}, {"card", card}};
}

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        json message = json::parse(line);
        if (message.at("type") == "start") {
            std::cout << json{{"type", "ready"}} << std::endl;
        } else if (message.at("type") == "turn") {
            json action = choose(message.at("observation"), message.at("legal"));
            json answer = {{"type", "action"}, {"turn", message.at("turn")}, {"action", action}};
            std::cout << answer << std::endl;
        }
    }
}
