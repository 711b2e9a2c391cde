"""Cards of a finished evaluation's statistics: score, games, losses, spread, times, output."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final

from django.db.models import Case, When
from django.utils.safestring import SafeString

from grader.core.games import Game
from grader.core.games.outcomes import counts_wins, point_range, score_words
from grader.results.insights import Insights
from webapp.grading.evaluations.comparing import GameApart, Pair, games_apart
from webapp.grading.evaluations.models import STOPPED, Evaluation, GameResult, Kind
from webapp.pages.figures.places import places_chart
from webapp.pages.figures.scale import points_scale
from webapp.pages.figures.spread import Spread, spread_chart, spread_of
from webapp.pages.figures.strip import Cell, Strip, strip_of
from webapp.pages.figures.times import times_chart
from webapp.pages.intervals import Interval, IntervalLine

_HOUSE_ROWS: Final = 4
_APART: Final = 3
_PRINTED_LINES: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class LossBar:
    """Points a game that go to one cause."""

    words: str
    points: float
    share: float
    """Percent of the longest bar."""
    before: float | None
    """The previous version's figures; ``None`` without one."""


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A line of output."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class PrintedPart:
    """Some output of one game."""

    index: int
    lines: Sequence[PrintedLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards:
    """The data of all cards."""

    scale: SafeString
    strip: Strip
    insights: Insights | None
    losses: Sequence[LossBar]
    places: SafeString
    spread: SafeString
    times: SafeString
    apart: Sequence[GameApart]
    """The games on common deals that differ most from the version before."""
    printed: PrintedPart | None


def cards_of(
    evaluation: Evaluation, *, before: Pair | None, clean: float | None, sees_games: bool
) -> Cards:
    """Return the cards in at most six queries; ``clean``: the mean without faults."""
    game, insights = evaluation.assignment.rules, evaluation.parsed_insights
    earlier = None if before is None else before.other
    house = _house(evaluation)
    return Cards(
        scale=_scale(evaluation, game, earlier, house, clean),
        strip=strip_so_far(evaluation, opens=sees_games),
        insights=insights,
        losses=_losses(insights, None if earlier is None else earlier.parsed_insights),
        places=(
            places_chart(insights.places, unit=insights.place)
            if insights and insights.places
            else SafeString("")
        ),
        spread=_spread(evaluation, game, earlier, house),
        times=_times(evaluation, insights),
        apart=games_apart(evaluation, earlier, limit=_APART) if earlier and sees_games else (),
        printed=_printed(evaluation, insights) if sees_games else None,
    )


def strip_so_far(evaluation: Evaluation, *, opens: bool) -> Strip:
    """All games that are in, in their columns. One query."""
    rows = evaluation.results.exclude(ending=STOPPED)
    games = rows.values_list("index", "score", "fault_kind")
    game = evaluation.assignment.rules
    return strip_of(
        (Cell(index, score, bool(kind)) for index, score, kind in games),
        game.score_range,
        opens=opens,
        words=partial(score_words, game),
    )


def _house(evaluation: Evaluation) -> list[Evaluation]:
    """House agents that played the same kind of games, the weakest first."""
    if evaluation.opponents or evaluation.house_agent or evaluation.kind == Kind.SMOKE:
        return []
    played = Evaluation.objects.current().filter(
        assignment=evaluation.assignment, submission=None, mean__isnull=False
    )
    same = [run for run in played.order_by("mean") if run.kind == evaluation.kind]
    return (same or [run for run in played if run.kind == Kind.GRADED])[-_HOUSE_ROWS:]


def _interval(evaluation: Evaluation) -> Interval:
    return Interval(evaluation.mean or 0.0, evaluation.low, evaluation.high)


def _name(evaluation: Evaluation) -> str:
    submission = evaluation.submission
    return evaluation.agent_name if submission is None else f"submission {submission.number}"


def _scale(
    evaluation: Evaluation,
    game: Game,
    earlier: Evaluation | None,
    house: Sequence[Evaluation],
    clean: float | None,
) -> SafeString:
    scheme = evaluation.assignment.scheme
    least, most = point_range(game)
    has_points = scheme.full_mean is not None and not evaluation.opponents
    return points_scale(
        _interval(evaluation),
        scheme=scheme if has_points else None,
        score_range=(float(least), float(most)),
        before=None if earlier is None else (_name(earlier), _interval(earlier)),
        house=[IntervalLine(run.agent_name, run.mean or 0.0) for run in house],
        clean=clean,
    )


def _losses(insights: Insights | None, earlier: Insights | None) -> list[LossBar]:
    if insights is None:
        return []
    known = {} if earlier is None else {cause.words: cause.points for cause in earlier.causes}
    longest = max([*(cause.points for cause in insights.causes), *known.values(), 0.01])
    return [
        LossBar(
            words=cause.words,
            points=cause.points,
            share=max(100 * cause.points / longest, 0.0),
            before=None if not known else 100 * known.get(cause.words, 0.0) / longest,
        )
        for cause in insights.causes
    ]


def _spread(
    evaluation: Evaluation, game: Game, earlier: Evaluation | None, house: Sequence[Evaluation]
) -> SafeString:
    if counts_wins(game) or game.unit != 1:
        return SafeString("")  # three results do not spread, and the scale has whole points
    runs = [(evaluation, "own"), *([] if earlier is None else [(earlier, "before")])]
    runs += [(run, "house") for run in house]
    rows: list[Spread] = [
        spread_of(run.histogram, name=_name(run), kind=kind) for run, kind in runs if run.histogram
    ]
    return spread_chart(rows, game.score_range) if len(rows) > 1 else SafeString("")


def _times(evaluation: Evaluation, insights: Insights | None) -> SafeString:
    if insights is None or not insights.times:
        return SafeString("")
    limit_us = evaluation.parsed_spec.limits.turn_seconds * 1e6
    return times_chart(insights.times, limit_us=limit_us)


def _printed(evaluation: Evaluation, insights: Insights | None) -> PrintedPart | None:
    """The output before the costliest moment of the worst game, or of another game."""
    if evaluation.kind == Kind.GRADED:
        return None
    watch = insights.watch if insights else None
    wanted = -1 if watch is None else watch.index
    first = Case(When(index=wanted, then=0), default=1)
    result = evaluation.results.exclude(prints=b"").order_by(first, "index").first()
    if result is None:
        return None
    return _part(result, watch.turn if watch and result.index == wanted else None)


def _part(result: GameResult, upto: int | None) -> PrintedPart:
    lines = list(_lines(result, upto)) or list(_lines(result, None))
    return PrintedPart(result.index, lines[-_PRINTED_LINES:])


def _lines(result: GameResult, upto: int | None) -> Iterator[PrintedLine]:
    for entry in result.printed:
        if upto is None or entry.turn <= upto:
            text = entry.text.rstrip("\n").split("\n")
            yield from islice((PrintedLine(entry.turn, line[:500]) for line in text), 200)
