// My Connect Four program. It takes the first legal column; now make it better.
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::string me;  // X or O
    std::cin >> me;
    std::vector<std::string> board(6);  // rows from the top; a point is an empty place
    while (std::cin >> board[0]) {
        for (int row = 1; row < 6; ++row) {
            std::cin >> board[row];
        }
        int count = 0;
        std::cin >> count;
        std::vector<int> legal(count);
        for (int& column : legal) {
            std::cin >> column;
        }
        int last = -1;  // the opponent's column, or -1
        std::cin >> last;
        std::cout << legal[0] << std::endl;
    }
}
