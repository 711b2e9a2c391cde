// My Gomoku program, for the protocol of Gomocup. It plays beside the last stone; now make it better.
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

static int size = 15;
static int board[32][32];  // 0: empty, 1: mine, 2: the opponent's

static void play(int x, int y) {
    for (int distance = 0; distance < size; ++distance) {
        for (int dy = -distance; dy <= distance; ++dy) {
            for (int dx = -distance; dx <= distance; ++dx) {
                int column = x + dx, row = y + dy;
                bool inside = column >= 0 && row >= 0 && column < size && row < size;
                if (inside && board[row][column] == 0) {
                    board[row][column] = 1;
                    std::cout << column << "," << row << std::endl;
                    return;
                }
            }
        }
    }
}

int main() {
    int x = 0, y = 0, owner = 0;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string command;
        words >> command;
        if (command == "START") {
            words >> size;
            std::cout << (size <= 32 ? "OK" : "ERROR unsupported size") << std::endl;
        } else if (command == "BEGIN") {
            play(size / 2, size / 2);
        } else if (command == "TURN" && std::sscanf(line.c_str(), "TURN %d,%d", &x, &y) == 2) {
            board[y][x] = 2;
            play(x, y);
        } else if (command == "BOARD") {
            while (std::getline(std::cin, line)
                   && std::sscanf(line.c_str(), "%d,%d,%d", &x, &y, &owner) == 3) {
                board[y][x] = owner;
            }
            play(x, y);
        } else if (command == "ABOUT") {
            std::cout << "name=\"Beside\", version=\"1.0\"" << std::endl;
        } else if (command == "END") {
            return 0;
        }
    }
}
