"""Grading schemes: how many points the figures of an evaluation are worth. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal
from enum import StrEnum
from itertools import pairwise
from typing import Final

from grader.core.errors import SchemeError
from grader.core.records import FORMAT

_CENT: Final = Decimal("0.01")
_HALF: Final = Decimal("0.5")
MAX_POINTS: Final = Decimal("999999.99")
"""The most points that an evaluation can be worth: the maximum of the site's column."""
_PLACES: Final = 30
"""The most digits that a number of a scheme has before the point, and after it."""


class Interpolation(StrEnum):
    """The points of a mean between two thresholds."""

    STEP = "step"
    """The points of the threshold below it."""
    LINEAR = "linear"
    """Proportionally between the two thresholds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """A mean, and the points that it is worth."""

    mean: Decimal
    points: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Beaten:
    """The points for doing well against one opponent."""

    opponent: str
    won: Decimal
    """The least share of the games against it that must be won, from 0 to 1. A half is not enough
    by itself: the opponent wins as many against its own copy."""
    points: Decimal

    def is_reached(self, won: Decimal) -> bool:
        """Return whether this share of games won is enough."""
        return won > self.won if self.won == _HALF else won >= self.won

    @property
    def words(self) -> str:
        """The share in words: ``more than half``, ``at least 25%``."""
        return "more than half" if self.won == _HALF else f"at least {_plain(100 * self.won)}%"


@dataclass(frozen=True, slots=True, kw_only=True)
class GradingScheme:
    """Turns the figures of an evaluation into points: its mean, and its share of wins against each
    opponent.

    From ``full_mean`` on: ``full_points``, plus ``bonus_points`` for every *whole* point of mean
    beyond it, at most ``max_bonus_points`` in all. Short of it: by ``thresholds``; short of the
    worst of them, 0 points. For every line of ``beaten`` that is reached its points are added.
    Points are rounded to hundredths, halves up (only linear thresholds need it); means and shares
    themselves are never rounded, so 14.999 is not 15.

    Raises SchemeError if the numbers contradict one another.
    """

    v: int = FORMAT
    full_mean: Decimal | None
    """``None``: the mean is worth nothing by itself."""
    full_points: Decimal = Decimal(100)
    bonus_points: Decimal = Decimal(0)
    """Per whole point of mean beyond ``full_mean``."""
    max_bonus_points: Decimal | None = None
    """``None``: no limit but the game's best score."""
    thresholds: tuple[Threshold, ...] = ()
    """Short of ``full_mean``, each better and worth more than the one before."""
    interpolation: Interpolation = Interpolation.STEP
    fewest_wins: bool = False
    """True if lower means are better. The name is the key in stored schemes and in exports."""
    beaten: tuple[Beaten, ...] = ()
    """Points for single opponents; one may have several lines, which add up."""

    def __post_init__(self) -> None:
        numbers = [self.full_mean, self.full_points, self.bonus_points, self.max_bonus_points]
        numbers += [number for step in self.thresholds for number in (step.mean, step.points)]
        numbers += [number for line in self.beaten for number in (line.won, line.points)]
        for number in numbers:
            if number is not None and not _is_usual(number):
                raise SchemeError(
                    f"{number} in a grading scheme: numbers are finite, with at most {_PLACES}"
                    " digits before and after the point"
                )
        for name in ("full_points", "bonus_points", "max_bonus_points"):
            if (getattr(self, name) or Decimal(0)) < 0:
                raise SchemeError(f"{name} is {getattr(self, name)}; it must not be negative")
        self._check_thresholds()
        self._check_beaten()

    def _check_thresholds(self) -> None:
        if self.full_mean is None and self.thresholds:
            raise SchemeError("without a mean for full points there are none for lesser means")
        if self.thresholds and self.thresholds[0].points < 0:
            raise SchemeError(f"a threshold gives {self.thresholds[0].points} points, less than 0")
        verb, lower = ("fall", "higher") if self.fewest_wins else ("rise", "lower")
        for low, high in pairwise(self._steps()):
            if self._rise(low.mean) >= self._rise(high.mean):
                raise SchemeError(
                    f"thresholds must {verb} up to the full mean: {high.mean} after {low.mean}"
                )
            if low.points > high.points:
                raise SchemeError(
                    f"a mean of {high.mean} gives {high.points} points,"
                    f" fewer than {low.points} for the {lower} mean {low.mean}"
                )

    def _check_beaten(self) -> None:
        if self.full_mean is None and not self.beaten:
            raise SchemeError("nothing is worth any points: neither a mean nor an opponent")
        for line in self.beaten:
            if not 0 <= line.won <= 1:
                raise SchemeError(f"{line.won} of the games is not a share from 0 to 1")
            if line.points < 0:
                raise SchemeError(f"{line.opponent} is worth {line.points} points, less than 0")

    def _rise(self, mean: Decimal) -> Decimal:
        return -mean if self.fewest_wins else mean

    def _steps(self) -> tuple[Threshold, ...]:
        if self.full_mean is None:
            return ()
        return (*self.thresholds, Threshold(mean=self.full_mean, points=self.full_points))

    def points(
        self, mean: float | Decimal, won: Mapping[str, float | Decimal] | None = None
    ) -> Decimal:
        """Points for a mean score and the shares of games won of each opponent, by its name.

        A float is read in its shortest decimal form. From 0 to ``MAX_POINTS``.
        """
        raw = self._for_mean(_exact(mean)) + self._for_opponents(won or {})
        return min(max(raw, Decimal(0)), MAX_POINTS).quantize(_CENT, ROUND_HALF_UP)

    def _for_mean(self, mean: Decimal) -> Decimal:
        if self.full_mean is None:
            return Decimal(0)
        if self._rise(mean) >= self._rise(self.full_mean):
            return self.full_points + self._bonus(mean, self.full_mean)
        return self._partial(mean)

    def _for_opponents(self, won: Mapping[str, float | Decimal]) -> Decimal:
        reached = (
            line.points
            for line in self.beaten
            if line.opponent in won and line.is_reached(_exact(won[line.opponent]))
        )
        return sum(reached, Decimal(0))

    def _bonus(self, mean: Decimal, full_mean: Decimal) -> Decimal:
        whole = abs(mean - full_mean).to_integral_value(ROUND_FLOOR)
        bonus = whole * self.bonus_points
        return bonus if self.max_bonus_points is None else min(bonus, self.max_bonus_points)

    def _partial(self, mean: Decimal) -> Decimal:
        for low, high in pairwise(self._steps()):
            if self._rise(low.mean) <= self._rise(mean) < self._rise(high.mean):
                if self.interpolation is Interpolation.STEP:
                    return low.points
                share = (mean - low.mean) / (high.mean - low.mean)
                return low.points + share * (high.points - low.points)
        return Decimal(0)

    def mean_in_words(self, mean: float | Decimal) -> str:
        """Return a mean with two decimals, or more where these would show it beyond a threshold
        that it misses.
        """
        exact = _exact(mean)
        marks = [step.mean for step in self._steps()]
        if self.full_mean is not None and self.bonus_points:
            whole = (exact - self.full_mean).to_integral_value(ROUND_FLOOR)
            marks += [self.full_mean + whole, self.full_mean + whole + 1]
        return _apart(mean, marks, places=2)

    def share_in_words(self, won: float | Decimal) -> str:
        """Return a share of games won in percent, in the same way, with one decimal or more."""
        lines = [100 * line.won for line in self.beaten]
        return f"{_apart(100 * _exact(won), lines, places=1)}%"

    def describe(self, title_of: Callable[[str], str] = str) -> str:
        """The scheme in a few sentences, for pages, with the opponents' titles."""
        return " ".join([*self._describe_mean(), *self._describe_opponents(title_of)])

    def _describe_mean(self) -> list[str]:
        if self.full_mean is None:
            return []
        least, below, up_to = (
            ("most", "Above", "to") if self.fewest_wins else ("least", "Below", "from")
        )
        points = _counted(self.full_points)
        full = f"{points} for a mean of at {least} {_plain(self.full_mean)}"
        sentences = [full + self._describe_bonus() + "."]
        if self.thresholds:
            sentences.append(f"{below} that: {self._describe_steps(up_to)}.")
        lowest = self._steps()[0].mean
        if self.fewest_wins or lowest > 0:
            sentences.append(f"No points {below.lower()} a mean of {_plain(lowest)}.")
        return sentences

    def _describe_steps(self, up_to: str) -> str:
        how = "; proportionally in between" * (self.interpolation is Interpolation.LINEAR)
        steps = (
            f"{_plain(step.points)} {up_to} {_plain(step.mean)}"
            for step in reversed(self.thresholds)
        )
        return ", ".join(steps) + how

    def _describe_bonus(self) -> str:
        if not self.bonus_points or self.max_bonus_points == 0:
            return ""
        beyond = "below" if self.fewest_wins else "above"
        text = f", and {_counted(self.bonus_points)} more for every full point {beyond} it"
        if self.max_bonus_points is not None:
            text += f" (at most {_plain(self.max_bonus_points)} more)"
        return text

    def _describe_opponents(self, title_of: Callable[[str], str]) -> list[str]:
        also = "" if self.full_mean is None else "also "
        alike: dict[tuple[str, Decimal], list[str]] = {}
        for line in self.beaten:
            alike.setdefault((line.words, line.points), []).append(title_of(line.opponent))
        return [
            f"{_counted(points)} {also}for winning {share} of the games"
            f" against {'each of ' * (len(names) > 1)}{', '.join(names)}."
            for (share, points), names in alike.items()
        ]


def _apart(number: float | Decimal, marks: Sequence[Decimal], *, places: int) -> str:
    """Return a number with decimals enough to be on its own side of each mark, or on it."""
    exact = _exact(number)
    for more in range(places, _PLACES):
        words = f"{number:.{more}f}"
        if all(Decimal(words).compare(mark) == exact.compare(mark) for mark in marks):
            return words
    return f"{exact:f}"


def _is_usual(number: Decimal) -> bool:
    _, _, exponent = number.as_tuple()
    return isinstance(exponent, int) and exponent >= -_PLACES and number.adjusted() < _PLACES


def _exact(number: float | Decimal) -> Decimal:
    return number if isinstance(number, Decimal) else Decimal(str(number))


def _counted(points: Decimal) -> str:
    return f"{_plain(points)} point{'' if points == 1 else 's'}"


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"
