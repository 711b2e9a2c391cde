// An Othello engine with the Go Text Protocol, as an author writes one: answers end with an empty line.
#include <cctype>
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

static char board[8][8];

static int flips(char colour, int x, int y, bool flip) {
    if (board[y][x]) {
        return 0;
    }
    int total = 0;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            int n = 0, cx = x + dx, cy = y + dy;
            while (cx >= 0 && cy >= 0 && cx < 8 && cy < 8 && board[cy][cx] && board[cy][cx] != colour) {
                ++n, cx += dx, cy += dy;
            }
            if (n == 0 || cx < 0 || cy < 0 || cx > 7 || cy > 7 || board[cy][cx] != colour) {
                continue;
            }
            total += n;
            for (int i = 1; flip && i <= n; ++i) {
                board[y + i * dy][x + i * dx] = colour;
            }
        }
    }
    if (flip) {
        board[y][x] = colour;
    }
    return total;
}

static std::string genmove(char colour) {
    int best = 0, bx = 0, by = 0;
    for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) {
            int n = flips(colour, x, y, false);
            if (n > best) {
                best = n, bx = x, by = y;
            }
        }
    }
    if (!best) {
        return "PASS";
    }
    flips(colour, bx, by, true);
    return std::string(1, static_cast<char>('A' + bx)) + static_cast<char>('1' + by);
}

static void play(char colour, const std::string& move) {
    if (move != "pass") {
        flips(colour, std::tolower(move[0]) - 'a', move[1] - '1', true);
    }
}

int main() {
    std::ios::sync_with_stdio(false);
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream in(line);
        std::string command, colour, move, answer;
        in >> command;
        char sign = '=';
        if (command == "clear_board") {
            std::memset(board, 0, sizeof board);
            board[3][3] = board[4][4] = 'w';
            board[3][4] = board[4][3] = 'b';
        } else if (command == "play") {
            in >> colour >> move;
            play(colour[0], move);
        } else if (command == "genmove") {
            in >> colour;
            answer = genmove(colour[0]);
        } else if (command == "boardsize") {
            int size = 0;
            in >> size;
            sign = size == 8 ? '=' : '?';
        } else if (command != "quit") {
            sign = '?', answer = "unknown command";
        }
        std::cout << sign << ' ' << answer << "\n\n" << std::flush;
        if (command == "quit") {
            return 0;
        }
    }
}
