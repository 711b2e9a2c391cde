"""My Othello program, for the Go Text Protocol. It takes the first legal square; now improve it."""

import sys

STEPS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
OTHER = {"b": "w", "w": "b"}
board = {}


def clear():
    board.clear()
    board.update({(3, 3): "w", (4, 4): "w", (3, 4): "b", (4, 3): "b"})


def turned(colour, x, y):
    """The discs that a disc on this square turns over."""
    found = []
    for dx, dy in STEPS:
        line, at = [], (x + dx, y + dy)
        while board.get(at) == OTHER[colour]:
            line.append(at)
            at = (at[0] + dx, at[1] + dy)
        if board.get(at) == colour:
            found += line
    return found


def play(colour, move):
    if move == "pass":
        return
    square = ord(move[0]) - ord("a"), int(move[1]) - 1
    for each in turned(colour, *square):
        board[each] = colour
    board[square] = colour


def choose(colour):
    for y in range(8):
        for x in range(8):
            if (x, y) not in board and turned(colour, x, y):
                return "abcdefgh"[x] + str(y + 1)
    return "pass"


for line in sys.stdin:
    command, *words = line.lower().split()
    answer = ""
    if command == "clear_board":
        clear()
    elif command == "play":
        play(words[0][0], words[1])
    elif command == "genmove":
        answer = choose(words[0][0])
        play(words[0][0], answer)
        answer = answer.upper()
    elif command in ("name", "version"):
        answer = "first square"
    print(f"= {answer}\n", flush=True)
    if command == "quit":
        break
