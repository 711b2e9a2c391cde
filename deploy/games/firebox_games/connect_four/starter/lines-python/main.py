"""My Connect Four program. It takes the first legal column; now make it better."""

ROWS = 6

me = input()  # X or O
while True:
    try:
        board = [input() for _ in range(ROWS)]  # from the top; a point is an empty place
    except EOFError:  # the game is over
        break
    legal = [int(input()) for _ in range(int(input()))]
    last = int(input())  # the opponent's column, or -1
    print(legal[0], flush=True)
