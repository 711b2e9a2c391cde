// An agent in C++ that speaks the protocol itself, over standard input and output.
//
// It takes the first legal action.
#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

using nlohmann::json;

// Return one of the legal actions; `seen` is everything that this seat may know.
json choose(const json& seen, const json& legal) {
    (void)seen;
    return legal[0];
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
