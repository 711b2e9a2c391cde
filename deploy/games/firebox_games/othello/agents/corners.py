"""Corners first: discs in a corner are never turned again."""

from firebox import Agent, Context
from firebox.any_game import Action, Observation

EDGE = (100, -20, 10, 5, 5, 10, -20, 100)
NEXT = (-20, -50, -2, -2, -2, -2, -50, -20)
THIRD = (10, -2, 3, 2, 2, 3, -2, 10)
INNER = (5, -2, 2, 1, 1, 2, -2, 5)
WORTH = (EDGE, NEXT, THIRD, INNER, INNER, THIRD, NEXT, EDGE)
STEPS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


class Corners(Agent):
    """Takes the square of greatest worth, less what it leaves to the opponent."""

    def start(self, context: Context) -> None:
        self.random = context.random

    def act(self, observation: Observation) -> Action:
        legal = observation.legal_actions
        if legal[0].type == "pass":
            return legal[0]
        board = {
            (x, y): disc
            for y, row in enumerate(observation.rows)
            for x, disc in enumerate(row)
            if disc is not None
        }
        me = observation.seat
        return max(
            legal, key=lambda action: (worth(board, me, action.x, action.y), self.random.random())
        )


def worth(board, me, x, y):
    after = dict(board)
    for square in [*turned(board, me, x, y), (x, y)]:
        after[square] = me
    answers = [
        WORTH[row][column]
        for row in range(8)
        for column in range(8)
        if (column, row) not in after and turned(after, 1 - me, column, row)
    ]
    return WORTH[y][x] - max(answers, default=-100) - 2 * len(answers)


def turned(board, seat, x, y):
    """Return the discs that a disc on an empty square turns over."""
    found = []
    for dx, dy in STEPS:
        line, at = [], (x + dx, y + dy)
        while board.get(at) == 1 - seat:
            line.append(at)
            at = at[0] + dx, at[1] + dy
        if board.get(at) == seat:
            found += line
    return found
