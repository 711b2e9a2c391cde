"""Checks of a grader's report before the site believes it.

A grader's machine runs hostile code, so the site takes only actions from it. It replays them by the
rules, and only the replay gives the score. Where rules are uploaded, and run on graders alone, it
checks what ``grader.results.drawn`` says. Figures that the rules cannot give, such as times, are
bounded, so that every one fits the database and the pages. Pure.
"""

from collections.abc import Iterable, Iterator
from math import isfinite
from typing import Final

from grader.core.errors import RecordError
from grader.core.prints import check_prints
from grader.core.records import BatchRequest, GamePrints, GameRequest, GameResult, Mode, Record
from grader.interfaces import mode_of
from grader.results.drawn import claims
from grader.results.replay import game_of, replay

MAX_FIGURE: Final = 2**31 - 1
"""The largest figure of a turn: 36 minutes in microseconds, two TiB in KiB."""
MAX_PROCESSOR_US: Final = 2**53
"""The largest processor time of a game, in microseconds."""

_BOUNDS: Final = {
    "max_charged_us": MAX_FIGURE,
    "peak_memory_kib": MAX_FIGURE,
    "cpu_us": MAX_PROCESSOR_US,
}
"""The largest value of each figure that a result has once for every seat."""


def check_result(result: GameResult) -> None:
    """Replay a result and check everything in it. Raises RecordError with the first complaint.

    ``check_requested`` checks that this game was asked for.
    """
    for complaint in _complaints(result):
        raise RecordError(f"game {result.index}: {complaint}")


def check_requested(results: Iterable[GameResult], request: BatchRequest) -> None:
    """Check that these are games of the request, at its seats. Raises RecordError if one is not.

    Nothing is replayed.
    """
    orders = {order.index: order for order in request.games}
    mode = mode_of([agent.interface for agent in request.agents], request.seating, request.mode)
    for result in results:
        for difference in _differences(result, orders[result.index], request, mode):
            raise RecordError(f"game {result.index} {difference}")


def checked_prints(
    prints: Iterable[GamePrints], results: Iterable[GameResult], request: BatchRequest
) -> tuple[GamePrints, ...]:
    """Return the output in these results. Raises RecordError if it was not asked for, or is not
    that of the agents that were asked for, or is more than a grader sends."""
    games = {result.index: result for result in results}
    wanted = tuple(game_prints for game_prints in prints if game_prints.index in games)
    if len({game_prints.index for game_prints in wanted}) < len(wanted):
        raise RecordError("the output of a game is reported twice")
    for game_prints in wanted:
        result = games[game_prints.index]
        check_prints(game_prints, result.record)
        seating = result.seating or request.seating
        if any(seating[one.seat] not in request.with_prints_of for one in game_prints.printed):
            raise RecordError(f"game {game_prints.index}: output that nobody asked for")
    return wanted


def _differences(
    result: GameResult, order: GameRequest, request: BatchRequest, mode: Mode
) -> Iterator[str]:
    record, seating = result.record, order.seating or request.seating
    if record.game != request.game or record.options != request.options:
        yield "was played by other rules than asked for"
    if record.deal_seed != order.deal_seed:
        yield "was played with another deal than asked for"
    if result.seating != order.seating:
        yield f"was played at seats {result.seating}, not {order.seating}"
    if record.mode is not mode:
        yield f"was played in mode {record.mode}, not {mode}"
    if len(record.scores) != len(seating):
        yield f"has {len(record.scores)} scores"
    if record.fault is not None and not 0 <= record.fault.seat < len(seating):
        yield f"has a fault of seat {record.fault.seat}"
    elif record.fault is not None and seating[record.fault.seat] in request.ours:
        yield "was ended by an opponent's fault"


def _complaints(result: GameResult) -> Iterator[str]:
    try:
        yield from _figures(result, game_of(result.record).seats)
        yield from _contradictions(result)
        if game_of(result.record).folder:
            yield from claims(result)
            return
        if result.drawn:
            yield "a drawing that nobody asked for"
        replay(result.record)
        if result.other_attempt is not None:
            replay(result.other_attempt)
    except RecordError as error:
        yield str(error)


def _contradictions(result: GameResult) -> Iterator[str]:
    record, seats = result.record, game_of(result.record).seats
    if record.fault is not None and not 0 <= record.fault.seat < seats:
        yield f"seat {record.fault.seat} is at fault, of {seats}"
    if (result.evidence is None) != (record.fault is None):
        yield "evidence must be there exactly if a fault ended the game"
    if result.other_attempt is not None and _asked(result.other_attempt) != _asked(record):
        yield "the play that does not count is of another game"


def _asked(record: Record) -> tuple[object, ...]:
    return record.game, record.options, record.deal_seed, record.mode


def _figures(result: GameResult, seats: int) -> Iterator[str]:
    if not (isfinite(result.wall_ms) and 0 <= result.wall_ms <= MAX_FIGURE):
        yield f"{result.wall_ms} ms of wall time"
    for name, bound in _BOUNDS.items():
        figures = getattr(result, name)
        if figures and len(figures) != seats:
            yield f"{name} has {len(figures)} figures for {seats} seats"
        yield from _beyond(name, figures, bound)
    for record in (result.record, result.other_attempt):
        if record is not None:
            yield from _beyond("charged_us", record.charged_us, MAX_FIGURE)


def _beyond(name: str, figures: tuple[int, ...], bound: int) -> Iterator[str]:
    if figures and not (min(figures) >= 0 and max(figures) <= bound):
        yield f"a figure of {name} is not between 0 and {bound}"
