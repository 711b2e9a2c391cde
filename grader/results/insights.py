"""Statistics for an agent's author: where points are lost, how long turns take. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from grader.core.games import Game, JsonObject, presented
from grader.core.games.presentation import Loss
from grader.core.records import FORMAT, Record
from grader.results.evaluation import EvaluationSpec, game_setup

_FAULT: Final = "fault"
_FAULT_WORDS: Final = "Ended by a fault"
_MAX_CARDS: Final = 5
_MAX_SPANS: Final = 16
_WIDTHS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class CountedGame:
    """A game as it counts."""

    index: int
    score: int
    record: Record | None
    """``None`` for a game that was not played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """Points a game that went to a cause, or with a card."""

    words: str
    points: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Consecutive turns or tricks, with the points lost in them per game."""

    first: int
    last: int
    points: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTime:
    """The agent's turns in a part of the games, and their charged time."""

    first: int
    last: int
    median_us: float
    slowest_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LostThere:
    """The costliest moment of the worst game that ran to its end."""

    index: int
    score: int
    turn: int
    points: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Insights:
    """Statistics of an evaluation. All points are means of its games."""

    v: int = FORMAT
    lost: float
    """Points lost to all causes together."""
    causes: tuple[Lost, ...]
    """In the game's order; faults last, if there were any."""
    place: str
    """The unit of ``places``: ``turn``, ``trick``."""
    places: tuple[Span, ...]
    cards: tuple[Lost, ...]
    """The costliest ones, most first."""
    times: tuple[TurnTime, ...]
    watch: LostThere | None


def insights_of(spec: EvaluationSpec, game: Game, games: Sequence[CountedGame]) -> Insights:
    """Replay the games and sum them up. Raises RecordError for records of other rules."""
    sums = _Sums(spec, game)
    for counted in games:
        sums.add(counted)
    return sums.result(len(games))


class _Sums:
    def __init__(self, spec: EvaluationSpec, game: Game) -> None:
        self._spec = spec
        self._game = game
        self._shown = presented(game)
        self._causes: Counter[str] = Counter()
        self._places: Counter[int] = Counter()
        self._cards: Counter[str] = Counter()
        self._times: defaultdict[int, list[int]] = defaultdict(list)
        self._worst: tuple[int, CountedGame, Sequence[Loss]] | None = None

    def add(self, game: CountedGame) -> None:
        """Count a game."""
        lost = self._lost(game.score)
        record = game.record
        if record is None:
            self._causes[_FAULT] += lost
            return
        if self._game.folder:  # which turns were the agent's, only its rules know
            self._causes[_FAULT] += lost if record.fault is not None else 0
            return
        actions = [self._game.parse(notation) for notation in record.actions.split()]
        seat = game_setup(self._spec, game.index).seat
        for turn, charged in self._charged(record, actions, seat):
            self._times[turn].append(charged)
        if record.fault is not None:
            self._causes[_FAULT] += lost
            return
        losses = list(self._shown.losses(bytes.fromhex(record.deal_seed), actions, seat))
        for loss in losses:
            self._causes[loss.cause] += loss.points
            self._places[loss.place] += loss.points
            if loss.card:
                self._cards[loss.card] += loss.points
        if losses and (self._worst is None or lost > self._worst[0]):
            self._worst = lost, game, losses

    def result(self, n: int) -> Insights:
        """Return the means of n games."""
        n = max(n, 1)
        words = {**self._shown.loss_causes}
        if self._causes[_FAULT]:
            words[_FAULT] = _FAULT_WORDS
        causes = [Lost(words=text, points=self._causes[key] / n) for key, text in words.items()]
        cards = self._cards.most_common(_MAX_CARDS)
        return Insights(
            lost=self._causes.total() / n,
            causes=tuple(causes),
            place=self._shown.loss_place,
            places=tuple(_spans(self._places, n)),
            cards=tuple(Lost(words=card, points=points / n) for card, points in cards),
            times=tuple(_turn_times(self._times)),
            watch=self._watch(),
        )

    def _lost(self, score: int) -> int:
        return score if self._game.lower_is_better else self._game.score_range[1] - score

    def _charged(
        self, record: Record, actions: Iterable[JsonObject], seat: int
    ) -> Iterator[tuple[int, int]]:
        if not self._spec.opponents:
            yield from enumerate(record.charged_us)
            return
        state = self._game.deal(bytes.fromhex(record.deal_seed))
        for action, charged in zip(actions, record.charged_us, strict=False):
            if state.seat_to_act == seat:
                yield state.turn, charged
            state.apply(action)

    def _watch(self) -> LostThere | None:
        if self._worst is None:
            return None
        _, game, losses = self._worst
        worst = max(losses, key=lambda loss: (bool(loss.card), loss.points))
        return LostThere(
            index=game.index,
            score=game.score,
            turn=worst.turn,
            points=worst.points,
            words=worst.words,
        )


def _width(numbers: Iterable[int]) -> int:
    most = max(numbers, default=0) + 1
    return next((width for width in _WIDTHS if most <= width * _MAX_SPANS), _WIDTHS[-1])


def _spans(places: Mapping[int, int], n: int) -> Iterator[Span]:
    if not places:
        return
    width = _width(places)
    for first in range(min(places) // width * width, max(places) + 1, width):
        points = sum(places[place] for place in range(first, first + width) if place in places)
        yield Span(first=first, last=first + width - 1, points=points / n)


def _turn_times(times: Mapping[int, Sequence[int]]) -> Iterator[TurnTime]:
    width = _width(times)
    spans: defaultdict[int, list[int]] = defaultdict(list)
    for turn, charged in times.items():
        spans[turn // width].extend(charged)
    for number, charged in sorted(spans.items()):
        yield TurnTime(
            first=number * width,
            last=number * width + width - 1,
            median_us=median(charged),
            slowest_us=max(charged),
        )
