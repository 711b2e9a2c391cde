// A Gomocup brain as an author writes one: a command loop, messages to the manager, CR LF at home.
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

struct Brain {
    int n = 0, timeout_turn = 30000;
    vector<vector<int>> cells;

    void reset(int size) {
        n = size;
        cells.assign(n, vector<int>(n, 0));
    }

    int line(int x, int y, int dx, int dy, int who) const {
        int length = 0;
        for (x += dx, y += dy; x >= 0 && y >= 0 && x < n && y < n && cells[x][y] == who; x += dx, y += dy) {
            ++length;
        }
        return length;
    }

    int worth(int x, int y) const {
        int best = 0;
        const int ways[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
        for (auto& way : ways) {
            for (int who = 1; who <= 2; ++who) {
                int in_line = line(x, y, way[0], way[1], who) + line(x, y, -way[0], -way[1], who);
                best = max(best, 4 * in_line + (who == 1 ? 2 : 1));
            }
        }
        return best;
    }

    void move() {
        int bx = -1, by = -1, best = -1;
        for (int x = 0; x < n; ++x) {
            for (int y = 0; y < n; ++y) {
                if (cells[x][y] == 0 && worth(x, y) > best) {
                    best = worth(x, y), bx = x, by = y;
                }
            }
        }
        cells[bx][by] = 1;
        cout << "MESSAGE worth " << best << " of " << timeout_turn << " ms" << endl;
        cout << bx << "," << by << endl;
    }
};

int main() {
    Brain brain;
    string command, key;
    while (cin >> command) {
        char comma;
        int x, y, who;
        if (command == "START") {
            cin >> x;
            brain.reset(x);
            cout << "OK - everything is good" << endl;
        } else if (command == "INFO") {
            cin >> key >> x;
            if (key == "timeout_turn") {
                brain.timeout_turn = x;
            }
        } else if (command == "BEGIN") {
            brain.move();
        } else if (command == "TURN") {
            cin >> x >> comma >> y;
            brain.cells[x][y] = 2;
            brain.move();
        } else if (command == "BOARD") {
            string line;
            for (cin >> line; line != "DONE"; cin >> line) {
                sscanf(line.c_str(), "%d,%d,%d", &x, &y, &who);
                brain.cells[x][y] = who;
            }
            brain.move();
        } else if (command == "END") {
            exit(0);
        } else {
            cout << "UNKNOWN command" << endl;
        }
    }
}
