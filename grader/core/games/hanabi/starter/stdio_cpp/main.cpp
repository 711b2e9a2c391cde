// An agent in C++ that speaks the protocol itself, over standard input and output.
//
// It plays a card that must fit, else hints at a card that the next player can play, else discards.
#include <algorithm>
#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

using nlohmann::json;

bool fits(const json& fireworks, char color, char rank) {
    return fireworks.at(std::string(1, color)).get<int>() + 1 == rank - '0';
}

bool must_fit(const json& fireworks, const json& known) {
    for (char color : known.at("colors").get<std::string>()) {
        for (char rank : known.at("ranks").get<std::string>()) {
            if (!fits(fireworks, color, rank)) {
                return false;
            }
        }
    }
    return true;
}

// Return a hint about the next player's first playable card that it does not know fully, or null
// if there is none.
json hint(const json& seen) {
    const json& hands = seen.at("hands");
    size_t seat = (seen.at("seat").get<size_t>() + 1) % hands.size();
    const json& cards = hands[seat].at("cards");
    for (size_t i = 0; i < cards.size(); i++) {
        if (cards[i].is_null()) {
            continue;
        }
        std::string card = cards[i];
        if (!fits(seen.at("fireworks"), card[0], card[1])) {
            continue;
        }
        const json& known = hands[seat].at("knowledge")[i];
        if (known.at("rank").is_null()) {
            return {{"type", "hint"}, {"to", seat}, {"rank", card[1] - '0'}};
        }
        if (known.at("color").is_null()) {
            return {{"type", "hint"}, {"to", seat}, {"color", card.substr(0, 1)}};
        }
    }
    return nullptr;
}

json choose(const json& seen, const json& legal) {
    const json& own = seen.at("hands")[seen.at("seat").get<size_t>()].at("knowledge");
    for (size_t i = 0; i < own.size(); i++) {
        if (must_fit(seen.at("fireworks"), own[i])) {
            return {{"type", "play"}, {"card", i}};
        }
    }
    if (seen.at("hint_tokens") > 0) {
        json hinted = hint(seen);
        if (!hinted.is_null()) {
            return hinted;
        }
    }
    json oldest = {{"type", "discard"}, {"card", 0}};
    return std::count(legal.begin(), legal.end(), oldest) ? oldest : legal.back();
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
