"""The meaning of scores: wins, draws and losses, or points of a game's own unit. Pure.

A game between two that is won, drawn or lost inherits from ``WinDrawLoss``. Everybody else counts
points, whole numbers of ``Game.unit``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from grader.core.games.base import Game, ResultKind
from grader.core.words import seat_words

WIN, DRAW, LOSS = 1, 0, -1
_WORDS: Final[Mapping[int, str]] = {WIN: "won", DRAW: "drawn", LOSS: "lost"}


class WinDrawLoss(Game):
    """A game of two that one of them wins, or nobody. A mean is wins less losses, a game."""

    result = ResultKind.WIN_DRAW_LOSS
    competitive = True
    score_range = (LOSS, WIN)

    def forfeit(self, seat: int) -> tuple[int, ...]:
        """The other seat wins."""
        return decided(1 - seat)


def decided(winner: int | None) -> tuple[int, int]:
    """Return the scores of a game that this seat won; ``None`` for a draw."""
    if winner is None:
        return (DRAW, DRAW)
    return (WIN, LOSS) if winner == 0 else (LOSS, WIN)


@dataclass(frozen=True, slots=True)
class Tally:
    """Games that were won, drawn and lost."""

    wins: int
    draws: int
    losses: int

    def __str__(self) -> str:
        return f"{self.wins}–{self.draws}–{self.losses}"

    @property
    def words(self) -> str:
        """The counts as a sentence's part."""
        return f"{self.wins:,} won, {self.draws:,} drawn, {self.losses:,} lost"


def tally_of(game: Game | type[Game], histogram: Iterable[tuple[int, int]]) -> Tally | None:
    """Count pairs of a score and a number of games; ``None`` for a game that counts points.

    Also ``None`` for scores of an earlier version of the game that counted otherwise.
    """
    counts = dict.fromkeys(_WORDS, 0)
    if not counts_wins(game):
        return None
    for score, games in histogram:
        if score not in counts:
            return None
        counts[score] += games
    return Tally(*counts.values())


def counts_wins(game: Game | type[Game]) -> bool:
    """Return whether a game is won, drawn or lost."""
    return game.result is ResultKind.WIN_DRAW_LOSS


def score_words(game: Game | type[Game], score: int) -> str:
    """Return one game's score as people read it: ``won``, ``17``, ``-0.5``, ``7/240``."""
    if counts_wins(game):
        return _WORDS.get(score, str(score))
    return value_words(game, score)


def result_words(game: Game | type[Game], score: int) -> str:
    """Return one game's score in a sentence: ``won``, ``17 points``, ``1 point``."""
    words = score_words(game, score)
    if counts_wins(game):
        return words
    return f"{words} point{'' if words == '1' else 's'}"


def winner_words(scores: Sequence[int]) -> str:
    """Return who won, where games are won, drawn or lost: ``seat 1 won``, ``drawn``."""
    return f"{seat_words(scores.index(WIN))} won" if WIN in scores else _WORDS[DRAW]


def value_words(game: Game | type[Game], score: int) -> str:
    """Return a score as a number of points, exactly."""
    value = score * game.unit
    if value.denominator == 1:
        return str(value.numerator)
    places = _places(value)
    if places is None:
        return str(value)
    digits = f"{abs(value.numerator) * 10**places // value.denominator:0{places + 1}}"
    return f"{'-' * (value < 0)}{digits[:-places]}.{digits[-places:]}"


def _places(value: Fraction) -> int | None:
    return next((n for n in range(1, 10) if 10**n % value.denominator == 0), None)


def in_points(value: float, unit: Fraction) -> float:
    """Return a mean of scores as one of points."""
    return value * unit.numerator / unit.denominator


def point_range(game: Game) -> tuple[Fraction, Fraction]:
    """Return the lowest and the highest mean, in points."""
    low, high = game.score_range
    return low * game.unit, high * game.unit
