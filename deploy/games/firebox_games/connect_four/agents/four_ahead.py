"""Four moves ahead: a search with alpha-beta pruning over the open lines of four."""

from firebox import Agent
from firebox.any_game import Action, Observation

ROWS, COLUMNS, DEPTH = 6, 7, 4
WON = 10_000
MIDDLE_FIRST = sorted(range(COLUMNS), key=lambda column: abs(column - COLUMNS // 2))
LINES = [
    [(x + n * dx, y + n * dy) for n in range(4)]
    for x in range(COLUMNS)
    for y in range(ROWS)
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    if 0 <= x + 3 * dx < COLUMNS and 0 <= y + 3 * dy < ROWS
]
THROUGH = {
    (x, y): [line for line in LINES if (x, y) in line] for x in range(COLUMNS) for y in range(ROWS)
}


class FourAhead(Agent):
    """Chooses the column with the best worst case four moves later."""

    def act(self, observation: Observation) -> Action:
        columns = [list(column) for column in observation.columns]
        by_column = {action.column: action for action in observation.legal_actions}
        me = observation.seat
        scored = [
            (
                -search(dropped(columns, column, me), column, 1 - me, DEPTH - 1, -WON * 2, WON * 2),
                column,
            )
            for column in MIDDLE_FIRST
            if column in by_column
        ]
        best = max(scored, key=lambda pair: pair[0])
        return by_column[best[1]]


def dropped(columns, column, seat):
    return [[*discs, seat] if n == column else discs for n, discs in enumerate(columns)]


def search(columns, last, seat, depth, low, high):
    """Return the worth of a position for ``seat``, after a disc in column ``last``."""
    if wins(columns, last):
        return -WON - depth
    if depth == 0:
        return worth(columns, seat)
    best = None
    for column in MIDDLE_FIRST:
        if len(columns[column]) < ROWS:
            after = dropped(columns, column, seat)
            value = -search(after, column, 1 - seat, depth - 1, -high, -low)
            best = value if best is None else max(best, value)
            low = max(low, value)
            if low >= high:
                break
    return 0 if best is None else best


def disc(columns, x, y):
    return columns[x][y] if y < len(columns[x]) else None


def wins(columns, last):
    top = last, len(columns[last]) - 1
    owner = columns[last][-1]
    return any(all(disc(columns, x, y) == owner for x, y in line) for line in THROUGH[top])


def worth(columns, seat):
    """Count lines that one side alone has discs in, by the square of their number."""
    total = 0
    for line in LINES:
        discs = [disc(columns, x, y) for x, y in line]
        own, theirs = discs.count(seat), discs.count(1 - seat)
        if not (own and theirs):
            total += own**2 - theirs**2
    return total
