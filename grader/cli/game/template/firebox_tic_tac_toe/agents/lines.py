"""Completes a line, or blocks one, or takes the place with most lines."""

from firebox import Agent, Context
from firebox.any_game import Action, Observation

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class Lines(Agent):
    """Looks one move ahead."""

    def start(self, context: Context) -> None:
        """Keep the seat, and the generator that repeats with the game."""
        self.seat, self.random = context.seat, context.random

    def act(self, observation: Observation) -> Action:
        """Take the place where a mark does most."""
        best = max(self._value(observation.board, each) for each in observation.legal_actions)
        return self.random.choice(
            [
                each
                for each in observation.legal_actions
                if self._value(observation.board, each) == best
            ]
        )

    def _value(self, board: tuple[tuple[int | None, ...], ...], place: Action) -> tuple[int, int]:
        own, other = (
            max(self._length(board, place, step, seat) for step in DIRECTIONS)
            for seat in (self.seat, 1 - self.seat)
        )
        return max(2 * own + 1, 2 * other), own + other

    def _length(
        self,
        board: tuple[tuple[int | None, ...], ...],
        place: Action,
        step: tuple[int, int],
        seat: int,
    ) -> int:
        length = 0
        for sign in (1, -1):
            row, column = place.row + sign * step[0], place.column + sign * step[1]
            while 0 <= row < len(board) and 0 <= column < len(board) and board[row][column] == seat:
                length, row, column = length + 1, row + sign * step[0], column + sign * step[1]
        return length
