"""Evaluations: what to play, how to split it into batches, which scores count, how many points.

Pure: every result here is a function of the evaluation's spec and of its games, never of how they
were batched, in which order they came in, or how often one of them was played.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal
from enum import StrEnum
from itertools import pairwise
from math import ceil
from typing import Any, Final

from grader.deals import deal_seed
from grader.errors import RecordError, SchemeError
from grader.records import FORMAT, AgentLimits, AgentRef, BatchRequest, GameOrder, Mode, Record

__all__ = [
    "EvaluationSpec",
    "GradingScheme",
    "Interpolation",
    "Threshold",
    "agent_score",
    "batch_request",
    "counted_scores",
    "plan_batches",
    "stop_index",
]

UNKNOWN_MS_PER_GAME: Final = 250.0
"""Assumed before any game of an agent was timed: slow, so that first batches are short."""

_CENT: Final = Decimal("0.01")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSpec:
    """What an evaluation plays; together with secret and agents it determines every game."""

    v: int = FORMAT
    game: str
    options: dict[str, Any]
    limits: AgentLimits
    seating: tuple[int, ...]
    """For each seat, the position of its agent; agent 0 is the one being evaluated."""
    n_games: int
    max_consecutive_faults: int = 20
    """The evaluation stops as faulty after so many faulted games in a row; 0 never stops it."""
    mode: Mode | None = None
    """Which seats share a process; ``None``: as the agents' interfaces prefer for this seating."""


def batch_request(
    spec: EvaluationSpec,
    *,
    evaluation: str,
    batch: str,
    agents: Sequence[AgentRef],
    secret: bytes,
    indices: Sequence[int],
    check_first: bool = False,
) -> BatchRequest:
    """Ask for the games ``indices`` of an evaluation."""
    return BatchRequest(
        evaluation=evaluation,
        batch=batch,
        game=spec.game,
        options=spec.options,
        limits=spec.limits,
        agents=tuple(agents),
        seating=spec.seating,
        games=tuple(
            GameOrder(index=index, deal_seed=deal_seed(secret, index).hex()) for index in indices
        ),
        max_consecutive_faults=spec.max_consecutive_faults,
        check_first=check_first,
        mode=spec.mode,
    )


def plan_batches(
    indices: Sequence[int],
    *,
    ms_per_game: float | None,
    slots: int,
    target_seconds: float = 15.0,
    min_batch_seconds: float = 1.0,
) -> tuple[tuple[int, ...], ...]:
    """Split games into contiguous batches of about ``target_seconds`` of work each.

    Batches differ by at most one game, and their number is a multiple of ``slots``, so that all
    cores finish at about the same time; but a batch is not made shorter than ``min_batch_seconds``,
    which its containers' start-up would dominate. ``ms_per_game`` is ``None`` if not yet known.
    """
    per_game = UNKNOWN_MS_PER_GAME if ms_per_game is None else max(ms_per_game, 0.01)
    seconds = len(indices) * per_game / 1000
    count = ceil(ceil(seconds / target_seconds) / slots) * slots
    count = max(1, min(count, ceil(seconds / min_batch_seconds), len(indices)))
    edges = [len(indices) * k // count for k in range(count + 1)]
    return tuple(tuple(indices[low:high]) for low, high in pairwise(edges) if low < high)


def stop_index(faulted: Collection[int], *, n: int, max_consecutive_faults: int) -> int | None:
    """Index of the game at which consecutive faults stopped the evaluation, or ``None``.

    It is the last game of the first run of ``max_consecutive_faults`` faulted indices. Computed
    while games are still missing it can later only move towards 0: games beyond it need not be
    played any more.
    """
    if max_consecutive_faults < 1:
        return None
    run = 0
    for index in range(n):
        run = run + 1 if index in faulted else 0
        if run == max_consecutive_faults:
            return index
    return None


def counted_scores(
    scores: Mapping[int, int | None], *, n: int, max_consecutive_faults: int, fault_score: int
) -> tuple[int, ...]:
    """The n scores that an evaluation's summary is made of, in the order of the indices.

    ``scores`` gives each played game's score by index, ``None`` for a game that a fault ended.
    A faulted game counts ``fault_score``, and so does every game after the one that stopped the
    evaluation, whether or not it was played: which of them were depends on the batches alone.
    Raises RecordError if a game that counts is missing.
    """
    faulted = {index for index, score in scores.items() if score is None}
    stop = stop_index(faulted, n=n, max_consecutive_faults=max_consecutive_faults)
    played = n if stop is None else stop + 1
    if missing := [index for index in range(played) if index not in scores]:
        raise RecordError(f"{len(missing)} of {n} games are missing, the first is {missing[0]}")
    counted = [scores[index] for index in range(played)]
    rest = (fault_score,) * (n - played)
    return tuple(fault_score if score is None else score for score in counted) + rest


def agent_score(record: Record, seating: Sequence[int]) -> int | None:
    """Score of the evaluated agent (agent 0: its first seat), ``None`` if a fault ended the game.

    Raises RecordError if the record has no score for that seat.
    """
    if record.fault is not None:
        return None
    if 0 not in seating or seating.index(0) >= len(record.scores):
        raise RecordError(f"no score for agent 0 in scores {record.scores}, seating {seating}")
    return record.scores[seating.index(0)]


class Interpolation(StrEnum):
    """What a mean between two thresholds is worth."""

    STEP = "step"
    """The points of the threshold below it."""
    LINEAR = "linear"
    """Proportionally between the two thresholds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """A mean and what it is worth."""

    mean: Decimal
    points: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class GradingScheme:
    """How a mean score becomes points.

    From ``full_mean`` on: ``full_points``, plus ``bonus_points`` for every *whole* point of mean
    above it, at most ``max_bonus_points`` in all. Below: by ``thresholds``; below the lowest of
    them, 0 points. Points are rounded to hundredths, halves up (only linear thresholds need it);
    the mean itself is never rounded, so 14.999 is not 15.

    Raises SchemeError if the numbers contradict one another.
    """

    v: int = FORMAT
    full_mean: Decimal
    full_points: Decimal = Decimal(100)
    bonus_points: Decimal = Decimal(0)
    """Per whole point of mean above ``full_mean``."""
    max_bonus_points: Decimal | None = None
    """``None``: no limit but the game's best score."""
    thresholds: tuple[Threshold, ...] = ()
    """Below ``full_mean``, ascending in mean and points."""
    interpolation: Interpolation = Interpolation.STEP

    def __post_init__(self) -> None:
        numbers = [self.full_mean, self.full_points, self.bonus_points]
        numbers += [number for step in self.thresholds for number in (step.mean, step.points)]
        numbers += [] if self.max_bonus_points is None else [self.max_bonus_points]
        if not all(number.is_finite() for number in numbers):
            raise SchemeError("every number of a grading scheme must be finite")
        for name in ("full_points", "bonus_points", "max_bonus_points"):
            if (getattr(self, name) or Decimal(0)) < 0:
                raise SchemeError(f"{name} is {getattr(self, name)}; it must not be negative")
        self._check_thresholds()

    def _check_thresholds(self) -> None:
        if self.thresholds and self.thresholds[0].points < 0:
            raise SchemeError(f"a threshold gives {self.thresholds[0].points} points, less than 0")
        for low, high in pairwise(self._steps()):
            if low.mean >= high.mean:
                raise SchemeError(
                    f"thresholds must rise up to the full mean: {high.mean} after {low.mean}"
                )
            if low.points > high.points:
                raise SchemeError(
                    f"a mean of {high.mean} gives {high.points} points,"
                    f" fewer than {low.points} for the lower mean {low.mean}"
                )

    def _steps(self) -> tuple[Threshold, ...]:
        return (*self.thresholds, Threshold(mean=self.full_mean, points=self.full_points))

    def points(self, mean: float | Decimal) -> Decimal:
        """Points for a mean score, as given (a float is taken at its shortest decimal form)."""
        exact = mean if isinstance(mean, Decimal) else Decimal(str(mean))
        if exact >= self.full_mean:
            raw = self.full_points + self._bonus(exact)
        else:
            raw = self._partial(exact)
        return raw.quantize(_CENT, ROUND_HALF_UP)

    def _bonus(self, mean: Decimal) -> Decimal:
        whole = (mean - self.full_mean).to_integral_value(ROUND_FLOOR)
        bonus = whole * self.bonus_points
        return bonus if self.max_bonus_points is None else min(bonus, self.max_bonus_points)

    def _partial(self, mean: Decimal) -> Decimal:
        for low, high in pairwise(self._steps()):
            if low.mean <= mean < high.mean:
                if self.interpolation is Interpolation.STEP:
                    return low.points
                share = (mean - low.mean) / (high.mean - low.mean)
                return low.points + share * (high.points - low.points)
        return Decimal(0)

    def most_points(self, best_score: int) -> Decimal:
        """Points for a mean that equals the game's best score: the most anyone can get."""
        return self.points(Decimal(best_score))

    def describe(self) -> str:
        """The scheme in a few sentences, for pages."""
        full = f"{_plain(self.full_points)} points for a mean of at least {_plain(self.full_mean)}"
        sentences = [full + self._describe_bonus() + "."]
        if self.thresholds:
            how = "; proportionally in between" * (self.interpolation is Interpolation.LINEAR)
            steps = ", ".join(
                f"{_plain(step.points)} from {_plain(step.mean)}"
                for step in reversed(self.thresholds)
            )
            sentences.append(f"Below that: {steps}{how}.")
        lowest = self._steps()[0]
        if lowest.mean > 0:
            sentences.append(f"No points below a mean of {_plain(lowest.mean)}.")
        return " ".join(sentences)

    def _describe_bonus(self) -> str:
        if not self.bonus_points or self.max_bonus_points == 0:
            return ""
        plural = "" if self.bonus_points == 1 else "s"
        text = f", and {_plain(self.bonus_points)} point{plural} more for every full point above it"
        if self.max_bonus_points is not None:
            text += f" (at most {_plain(self.max_bonus_points)} more)"
        return text


def _plain(number: Decimal) -> str:
    """Without trailing zeros or an exponent: ``100``, ``12.5``."""
    return f"{number.normalize():f}"
