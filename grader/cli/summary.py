"""The report of ``firebox evaluate``: figures, histogram, faults by cause."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from grader.cli.output import facts, histogram, location, opponent_lines, result_facts, share_words
from grader.core.games import GAMES, Game
from grader.core.games.outcomes import counts_wins, value_words
from grader.core.records import GameResult
from grader.core.words import counted, printable
from grader.results.evaluation import EvaluationSpec, game_setup, stop_index
from grader.results.evidence import own_line
from grader.results.export import EvaluationExport
from grader.results.faults import FaultedGame, FaultGroup, group_faults
from grader.results.figures import Against
from grader.results.statistics import Summary, turn_times

_SHOWN_GAMES: Final = 8


@dataclass(frozen=True, slots=True)
class Again:
    """The command that plays games of an evaluation again."""

    words: tuple[str, ...]
    against: tuple[str, ...]
    """The opponents, as the user named them."""

    def line(self, spec: EvaluationSpec, index: int) -> str:
        """The command for one game."""
        words, (deal, seating) = list(self.words), game_setup(spec, index)
        if self.against:
            words += ["--with", self.against[max(seating) - 1], "--seat", str(seating.index(0) + 1)]
        return shlex.join([*words, "--index", str(deal)])


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationAnswer:
    """The output of ``--json``."""

    agents: tuple[str, ...]
    seconds: float
    summary: Summary
    against: Against | None
    """The share won of each opponent, if there were opponents."""
    faults: tuple[FaultGroup, ...]
    stopped_after: int | None
    """Index of the game at which consecutive faults ended the evaluation."""
    commitment: str


def answer_of(
    export: EvaluationExport, *, agents: tuple[str, ...], seconds: float
) -> EvaluationAnswer:
    """Sum an evaluation up. ``seconds`` is the wall time that it took."""
    faulted = {result.index for result in export.results if result.record.fault}
    return EvaluationAnswer(
        agents=agents,
        seconds=round(seconds, 3),
        summary=export.summary,
        against=export.against,
        faults=group_faults(_faulted(export.results)),
        stopped_after=stop_index(
            faulted,
            n=export.spec.n_games,
            max_consecutive_faults=export.spec.max_consecutive_faults,
        ),
        commitment=export.commitment,
    )


def _faulted(results: Sequence[GameResult]) -> Iterator[FaultedGame]:
    for result in results:
        if (fault := result.record.fault) is not None:
            own = None if result.evidence is None else own_line(result.evidence.stderr)
            yield FaultedGame(
                index=result.index,
                kind=fault.kind,
                detail=fault.detail,
                place="" if own is None else location(own),
            )


def report(answer: EvaluationAnswer, export: EvaluationExport, *, again: Again) -> str:
    """The answer for people."""
    return "\n".join(_lines(answer, export, again))


def _lines(answer: EvaluationAnswer, export: EvaluationExport, again: Again) -> Iterator[str]:
    summary, options, game = answer.summary, export.spec.options, GAMES[export.spec.game]
    rate = len(export.results) / max(answer.seconds, 1e-9)
    players = counted(len(export.spec.seating), "player")
    yield facts(
        ("agents", _agents(answer)),
        ("rules", f"{export.spec.game} {options['variant']}, {players}"),
        ("games", f"{len(export.results)} in {answer.seconds:.1f} s ({rate:.1f} games/s)"),
        ("turns", _turn_times(export.results)),
        *result_facts(summary, game),
        *([] if counts_wins(game) else [("range", _range(summary, game))]),
    )
    if answer.against is not None:
        yield facts(("won", share_words(answer.against.won)))
        yield ""
        yield from opponent_lines(answer.against)
    if scores := histogram(summary, game):
        yield ""
        yield scores
    if export.spec.half_width is not None and answer.stopped_after is None:
        yield ""
        yield from _precision_lines(summary, export.spec)
    if answer.stopped_after is not None:
        most = export.spec.max_consecutive_faults
        yield f"\nStopped after game {answer.stopped_after}: {counted(most, 'fault')} in a row."
        yield "All later games count as faulted."
    for group in answer.faults:
        yield ""
        yield from fault_lines(group, again.line(export.spec, group.games[0]))


def _agents(answer: EvaluationAnswer) -> str:
    names = ", ".join(answer.agents)
    mixed = answer.against is None and len(set(answer.agents)) > 1
    return f"{names}; scores are those of the first" if mixed else names


def _precision_lines(summary: Summary, spec: EvaluationSpec) -> Iterator[str]:
    if summary.n < spec.n_games:
        yield f"Stopped after {summary.n} of at most {counted(spec.n_games, 'game')}: the mean is"
        yield f"known to ± {spec.half_width}. This interval may be checked after every game, so it"
        yield "is wider than the interval of a fixed number of games."
    else:
        yield f"The mean was not known to ± {spec.half_width} after {counted(summary.n, 'game')}."


def _range(summary: Summary, game: type[Game]) -> str:
    ends = (summary.worst, summary.best)
    words = " to ".join("none" if end is None else value_words(game, end) for end in ends)
    if game.lower_is_better:
        words += "; fewest win"
    if game.lost_score is not None:
        words += f"; {counted(summary.lost, 'game')} scored {game.lost_score}"
    return words


def _turn_times(results: Sequence[GameResult]) -> str:
    times = turn_times(us for result in results for us in result.record.charged_us)
    if times is None:
        return "none"
    return (
        f"{times.median / 1000:.2f} ms charged in the median,"
        f" 99% at most {times.p99 / 1000:.2f} ms, slowest {times.slowest / 1000:.2f} ms"
    )


def fault_lines(group: FaultGroup, again: str) -> Iterator[str]:
    """Yield what failed in a group of games, where, and the command that shows it."""
    count = len(group.games)
    shown = ", ".join(str(index) for index in group.games[:_SHOWN_GAMES])
    more = ", …" if count > _SHOWN_GAMES else ""
    yield f"Fault {group.kind} in {counted(count, 'game')}: {printable(group.cause)}"
    if group.place and group.place not in group.cause:
        yield f"  at {group.place}"
    yield f"  game{'s' * (count > 1)} {shown}{more}"
    yield f"  see it: {again}"
