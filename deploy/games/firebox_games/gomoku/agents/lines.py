"""Lines: a point is worth the stones of one colour in the windows of five that go through it."""

from firebox import Agent, Context
from firebox.any_game import Action, Observation

STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))
OWN = (1, 15, 150, 2_000, 1_000_000)
THEIRS = (1, 10, 100, 1_500, 200_000)


class Lines(Agent):
    """Plays the point that is worth most to both players together."""

    def start(self, context: Context) -> None:
        self.random = context.random

    def act(self, observation: Observation) -> Action:
        rows, me = observation.rows, observation.seat
        return max(
            observation.legal_actions,
            key=lambda action: (worth(rows, me, action.x, action.y), self.random.random()),
        )


def worth(rows, me, x, y):
    return sum(
        window_worth(rows, me, x - step * dx, y - step * dy, dx, dy)
        for dx, dy in STEPS
        for step in range(5)
    )


def window_worth(rows, me, x, y, dx, dy):
    """Return the worth of five points in a row from (x, y); 0 where both colours are in them."""
    side = len(rows)
    if not (0 <= x + 4 * dx < side and 0 <= x < side and 0 <= y + 4 * dy < side and 0 <= y < side):
        return 0
    stones = [rows[y + n * dy][x + n * dx] for n in range(5)]
    own, theirs = stones.count(me), stones.count(1 - me)
    if own and theirs:
        return 0
    return THEIRS[theirs] if theirs else OWN[own]
