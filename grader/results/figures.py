"""Results of an evaluation's games: one agent's scores, and its wins over opponents. Pure.

Against opponents the games of one deal belong together: each seat's cards were played by the agent
once, so that the luck of the cards is the same for both sides. Such a round is the unit of every
interval. Opponents meet the same deals: in figures over all of them a deal counts once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import lcm, log, sqrt
from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType

from grader.core.errors import RecordError
from grader.core.games import Game
from grader.core.games.outcomes import WIN, Tally, counts_wins, in_points, tally_of
from grader.core.records import GameResult
from grader.results.evaluation import EvaluationSpec, counted_scores, game_setup, stop_index
from grader.results.statistics import Estimate, Summary, estimate, summarise

FEWEST: Final = 50
"""Games before which no interval is given: means of so few scores are not yet normal."""
_LEVEL: Final = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class AnytimeInterval:
    """A mean whose interval holds at every number of games. ``n`` is the number of games."""

    n: int
    mean: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return self.high - self.mean


def anytime_interval(n: int, mean: float, sd: float, *, expected: int) -> AnytimeInterval:
    """The interval after n games. ``expected`` is the number where it should be narrowest.

    It must be chosen before the games. Raises ValueError for fewer than ``FEWEST`` games.
    """
    if n < FEWEST:
        raise ValueError(f"{n} games are too few; at least {FEWEST} are needed")
    spread = _best_spread(expected)
    reach = sd * sqrt(2 * (n * spread + 1) / (n * n * spread) * log(sqrt(n * spread + 1) / _LEVEL))
    return AnytimeInterval(n=n, mean=mean, low=mean - reach, high=mean + reach)


def stopped_after(
    scores: Mapping[int, int], *, half_width: float, most: int
) -> AnytimeInterval | None:
    """Return the interval at which an evaluation of at most ``most`` games stops.

    ``scores`` are those of the games that were played so far, by index. The first number of games
    whose interval is as narrow as asked decides, or ``most``. ``None`` as long as a game is missing
    that may be needed. Games beyond it do not count. Scores that never varied stop nothing: their
    variance is not known to be 0.
    """
    total = squares = 0
    for n in range(1, most + 1):
        if n - 1 not in scores:
            return None
        score = scores[n - 1]
        total += score
        squares += score * score
        if n < FEWEST:
            continue
        sd = sqrt(max(n * squares - total * total, 0) / (n * (n - 1)))
        interval = anytime_interval(n, total / n, sd, expected=most)
        if 0 < interval.half_width <= half_width or n == most:
            return interval
    return None


def _best_spread(expected: int) -> float:
    """r² for the narrowest interval after ``n`` games."""
    tail = -2 * log(_LEVEL)
    return (tail + log(tail) + 1) / max(expected, FEWEST)


_DIGITS: Final = 12
"""Decimals of a share. Two that differ do so in an earlier one."""


class GameOutcome(NamedTuple):
    """The outcome of one game for the agent that is evaluated."""

    score: int
    won: int
    """Its share of the win: all ``win_units`` if no other score was as good, half of them if one
    other was, and so on. Of a draw, where games are won, drawn or lost: nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentFigures:
    """The agent's results against one opponent."""

    name: str
    games: int
    won: Estimate
    """Share of the games won. A game that several won is shared among them; a draw is no win."""
    mean: Estimate
    """The agent's points a game."""
    tally: Tally | UnsetType = UNSET
    """Unset in games for points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """The agent's results against all opponents."""

    won: Estimate
    opponents: tuple[OpponentFigures, ...]
    """In the order in which they were played."""

    @property
    def shares(self) -> dict[str, float]:
        """Shares won by opponent, as grading schemes take them.

        Figures that were stored by older versions may be off in their last digits.
        """
        return {
            opponent.name: round(opponent.won.mean or 0.0, _DIGITS) for opponent in self.opponents
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """All figures of an evaluation."""

    summary: Summary
    against: Against | None
    """``None`` if there were no opponents of known strength."""


def win_units(seats: int) -> int:
    """Return a number of parts that any number of winners divides evenly."""
    return lcm(*range(1, seats + 1))


def outcome(game: Game, scores: Sequence[int], seat: int) -> GameOutcome:
    """Return the outcome for the agent at ``seat``, by the game's scores. Raises RecordError."""
    if not 0 <= seat < len(scores) == game.seats:
        raise RecordError(f"no score for agent 0, seat {seat}, in scores {tuple(scores)}")
    if counts_wins(game):
        return GameOutcome(scores[seat], win_units(game.seats) * (scores[seat] == WIN))
    best = min(scores) if game.lower_is_better else max(scores)
    shared = win_units(game.seats) // list(scores).count(best)
    return GameOutcome(scores[seat], shared if scores[seat] == best else 0)


def outcomes_of(
    spec: EvaluationSpec, game: Game, results: Sequence[GameResult]
) -> dict[int, GameOutcome | None]:
    """Outcomes by index, ``None`` for a game that a fault ended.

    Raises RecordError, also for a game that an opponent's fault ended: such a game does not count.
    """
    return {result.index: _outcome(spec, game, result) for result in results}


def _outcome(spec: EvaluationSpec, game: Game, result: GameResult) -> GameOutcome | None:
    seat, fault = game_setup(spec, result.index).seat, result.record.fault
    if fault is None:
        return outcome(game, result.record.scores, seat)
    if spec.opponents and fault.seat != seat:
        raise RecordError(f"game {result.index}: a fault of the opponent's ended it")
    return None


def precise_enough(
    spec: EvaluationSpec, game: Game, outcomes: Mapping[int, GameOutcome | None]
) -> AnytimeInterval | None:
    """Return where an evaluation with a half width stops, and its interval there in points;
    ``None`` if it plays all its games, has not reached that point, or is stopped earlier by faults
    in a row.

    Games beyond do not count, whether or not they were played.
    """
    if spec.half_width is None:
        return None
    fault_score = game.own_fault_score(spec.seating.index(0))
    scores = {
        index: fault_score if outcome is None else outcome.score
        for index, outcome in outcomes.items()
    }
    width = spec.half_width / game.unit
    stopped = stopped_after(scores, half_width=width, most=spec.n_games)
    stop = stop_index(
        {index for index, outcome in outcomes.items() if outcome is None},
        n=spec.n_games if stopped is None else stopped.n,
        max_consecutive_faults=spec.max_consecutive_faults,
    )
    if stopped is None or stop is not None:
        return None
    ends = {name: in_points(getattr(stopped, name), game.unit) for name in ("mean", "low", "high")}
    return AnytimeInterval(n=stopped.n, **ends)


def figures(
    spec: EvaluationSpec, game: Game, outcomes: Mapping[int, GameOutcome | None]
) -> Figures:
    """The figures of a finished evaluation. Raises RecordError if a game that counts is missing.

    The interval of one that might have stopped early holds for every number of games.
    """
    stopped = precise_enough(spec, game, outcomes)
    counted = counted_scores(
        outcomes,
        n=spec.n_games if stopped is None else stopped.n,
        max_consecutive_faults=spec.max_consecutive_faults,
        fault_score=GameOutcome(game.own_fault_score(spec.seating.index(0)), 0),
    )
    scores = [outcome.score for outcome in counted]
    summary = summarise(scores, lost_score=game.lost_score, unit=game.unit)
    if stopped is not None:
        summary = replace(summary, low=stopped.low, high=stopped.high)
    if not spec.opponents:
        return Figures(summary=summary, against=None)
    rounds = _Rounds(spec, game, counted)
    overall = rounds.scores(range(len(spec.opponents)))
    return Figures(
        summary=replace(
            summary,
            standard_error=overall.standard_error,
            low=overall.low,
            high=overall.high,
        ),
        against=Against(
            won=rounds.won(range(len(spec.opponents))),
            opponents=tuple(map(rounds.against, range(len(spec.opponents)), spec.opponents)),
        ),
    )


class _Rounds:
    """The games of an evaluation against opponents, deal by deal."""

    def __init__(self, spec: EvaluationSpec, game: Game, counted: Sequence[GameOutcome]) -> None:
        self._game = game
        self._seats = len(spec.seating)
        self._counted = counted
        self.games = spec.n_games // len(spec.opponents)
        """Against each opponent."""

    def scores(self, opponents: Sequence[int]) -> Estimate:
        """Points a game, of the games against these opponents."""
        sums = [sum(game.score for game in games) for games in self._deals(opponents)]
        return estimate(sums, scale=self._seats * len(opponents) / self._game.unit)

    def against(self, number: int, name: str) -> OpponentFigures:
        """Figures of the games against one opponent."""
        own = self._counted[number * self.games : (number + 1) * self.games]
        return OpponentFigures(
            name=name,
            games=self.games,
            won=self.won([number]),
            mean=self.scores([number]),
            tally=tally_of(self._game, ((game.score, 1) for game in own)) or UNSET,
        )

    def won(self, opponents: Sequence[int]) -> Estimate:
        """Share of these games that was won."""
        sums = [sum(game.won for game in games) for games in self._deals(opponents)]
        return estimate(sums, scale=self._seats * len(opponents) * win_units(self._seats))

    def _deals(self, opponents: Sequence[int]) -> list[list[GameOutcome]]:
        deals = self.games // self._seats
        return [
            [
                self._counted[number * self.games + seat * deals + deal]
                for number in opponents
                for seat in range(self._seats)
            ]
            for deal in range(deals)
        ]
