"""``firebox compare``: two agents on the deals that both played."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.cli.command_line import argument
from grader.cli.exits import ExitStatus, UsageError
from grader.cli.files import read_export
from grader.cli.output import facts, say
from grader.core.games import Game, game_from_options
from grader.core.records import to_json
from grader.core.words import counted, printable
from grader.results.comparison import (
    ExportComparison,
    compare,
    games_for_half_width,
    games_to_detect,
    sentence,
)
from grader.results.export import EvaluationExport

HELP: Final = "compare two agents' exports, deal by deal"

_MAX_DEALS: Final = 10**6


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonAnswer:
    """The output of ``--json``."""

    comparison: ExportComparison
    games_to_detect: int | None
    """Common deals that would show a difference as large as this one in 4 of 5 cases."""
    games_for_half_width: int | None
    """Common deals after which it is known as precisely as asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareArguments:
    """The command line of ``firebox compare``."""

    file: Path = argument(metavar="EXPORT", help="an evaluation's export")
    other: Path = argument(metavar="OTHER", help="the export to compare it with")
    half_width: float | None = argument(
        "--half-width",
        metavar="W",
        help="show how many common deals would measure the difference to ± W",
    )
    json: bool = argument("--json", help="print the comparison as JSON")


def run(arguments: CompareArguments) -> ExitStatus:
    """Compare them. A difference is not a fault: the exit status is 0."""
    if arguments.half_width is not None and not arguments.half_width > 0:
        raise UsageError(f"--half-width is {arguments.half_width}; it must be more than 0")
    ours, theirs = read_export(arguments.file), read_export(arguments.other)
    if (ours.spec.game, ours.spec.options) != (theirs.spec.game, theirs.spec.options):
        raise UsageError("these evaluations were played by different rules")
    if ours.spec.opponents != theirs.spec.opponents:
        raise UsageError("these evaluations were played against different opponents")
    game = game_from_options(ours.spec.game, ours.spec.options)
    comparison = comparison_of(ours, theirs, game)
    answer = _answer(comparison, arguments.half_width)
    if arguments.json:
        say(to_json(answer))
    else:
        names = (printable(export.title) or str(path) for export, path in (
            (ours, arguments.file), (theirs, arguments.other)))  # fmt: skip
        say("\n".join(_lines(answer, *names, half_width=arguments.half_width)))
    return ExitStatus.OK


def comparison_of(ours: EvaluationExport, theirs: EvaluationExport, game: Game) -> ExportComparison:
    """Compare two evaluations by the same rules, deal by deal."""
    return compare(
        _scores(ours, game),
        _scores(theirs, game),
        lower_is_better=game.lower_is_better,
        unit=game.unit,
        deal_of=lambda played: played[0],
    )


def _scores(export: EvaluationExport, game: Game) -> Mapping[tuple[str, object], int]:
    """Return scores by deal and setup, a game that a fault ended as its rules count it."""
    scores: dict[tuple[str, object], int] = {}
    for result in export.results:
        seating = result.seating or export.spec.seating
        if 0 not in seating:
            raise UsageError("agent 0, which is evaluated, has no seat")
        record, seat = result.record, seating.index(0)
        if not seat < len(record.scores) == game.seats:
            raise UsageError(
                f"game {result.index} has no score for seat {seat};"
                " `firebox verify` says what is wrong with the file"
            )
        score = game.own_fault_score(seat) if record.fault else record.scores[seat]
        scores[record.deal_seed, seating] = score
    return scores


def _answer(comparison: ExportComparison, half_width: float | None) -> ComparisonAnswer:
    difference, sd = comparison.difference.mean, comparison.sd
    return ComparisonAnswer(
        comparison=comparison,
        games_to_detect=games_to_detect(sd, difference) if sd and difference else None,
        games_for_half_width=(
            games_for_half_width(sd, half_width) if sd is not None and half_width else None
        ),
    )


def _lines(answer: ComparisonAnswer, a: str, b: str, *, half_width: float | None) -> Iterator[str]:
    comparison, difference = answer.comparison, answer.comparison.difference
    yield sentence(comparison, a=a, b=b)
    yield ""
    deals = f"{difference.wins} higher, {difference.losses} lower, {difference.ties} equal"
    yield facts(("deals", deals), ("sign test", f"p = {difference.sign_p:.3g}"))
    if comparison.left_out:
        deals = counted(comparison.left_out, "deal")
        yield facts(("left out", f"{deals} that only one of them played"))
    if comparison.correlation is not None and comparison.saving is not None:
        alike = f"scores on the same deal have a correlation of {comparison.correlation:.2f}"
        times = f"separate deals would take {comparison.saving:.1f} times as many games"
        yield facts(("alike", f"{alike}: {times}"))
    if answer.games_to_detect is not None:
        number = _deals(answer.games_to_detect)
        yield facts(("to detect", f"{number} show such a difference 4 times in 5"))
    if answer.games_for_half_width is not None:
        yield facts((f"± {half_width}", _deals(answer.games_for_half_width)))


def _deals(count: int) -> str:
    """Name a number of deals: against opponents a deal is several games."""
    return "more than a million deals" if count > _MAX_DEALS else f"{count} common deals"
