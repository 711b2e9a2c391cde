"""The report of ``firebox tournament``: standings, scores by pair, and where luck was."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from grader.cli.local_tournament import LocalTournament
from grader.cli.output import facts
from grader.core.words import counted
from grader.results.statistics import Summary
from grader.tournament import (
    Balance,
    CrossPlay,
    Figure,
    Standing,
    Standings,
    TournamentExport,
    balance_of,
)

_MAX_COLUMNS: Final = 16
"""Participants up to which the table of all pairs is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentAnswer:
    """The output of ``--json``."""

    agents: tuple[str, ...]
    """By the numbers that the rest uses."""
    seconds: float
    games: int
    """Games that were played, spoiled ones too."""
    balance: Balance
    standings: Standings
    cross_play: CrossPlay
    void: tuple[int, ...]
    commitment: str


def answer_of(
    course: LocalTournament, export: TournamentExport, *, seconds: float
) -> TournamentAnswer:
    """Sum a tournament up. ``seconds`` is the wall time that it took."""
    return TournamentAnswer(
        agents=tuple(participant.name for participant in export.participants),
        seconds=round(seconds, 3),
        games=len(export.results),
        balance=balance_of(course.ledger.plan),
        standings=export.standings,
        cross_play=export.cross_play,
        void=course.ledger.void,
        commitment=export.commitment,
    )


def report(answer: TournamentAnswer) -> str:
    """The answer for people."""
    return "\n".join(_lines(answer))


def _lines(answer: TournamentAnswer) -> Iterator[str]:
    balance = answer.balance
    rate = answer.games / max(answer.seconds, 1e-9)
    games = "–".join(map(str, dict.fromkeys(balance.games)))
    meetings = "–".join(map(str, dict.fromkeys(balance.meetings)))
    yield facts(
        ("agents", str(len(answer.agents))),
        ("games", f"{answer.games} in {answer.seconds:.1f} s ({rate:.1f} games/s)"),
        ("each", f"{games} games, every pair at {meetings} tables"),
    )
    yield ""
    yield from standing_lines(answer.standings, answer.agents)
    if answer.void:
        games = counted(len(answer.void), "game")
        yield f"\n{games} could not be played without the agents at fault."
    if len(answer.agents) <= _MAX_COLUMNS:
        yield ""
        yield from _pair_lines(answer.cross_play, answer.agents)


def standing_lines(standings: Standings, agents: Sequence[str]) -> Iterator[str]:
    """Return the rows, one line each, and a legend."""
    names = max(len(name) for name in agents)
    wide = any(row.self_play is not None for row in standings.rows)
    elo = any(row.elo is not None for row in standings.rows)
    tallies = any(row.tally for row in standings.rows)
    titles = f"place  rank  {'agent':<{names}}  games         mean ± 95%     adjusted ± 95%  rank"
    yield titles + "  self-play" * wide + "   Elo" * elo + "      W–D–L" * tallies
    for row in standings.rows:
        line = (
            f"{_rank(row.place):>5}  {_rank(row.rank):>4}  {agents[row.participant]:<{names}}"
            f"  {row.games:>5}  {_figure(row.mean):>17}  {_figure(row.adjusted):>17}"
            f"  {_rank(row.adjusted_rank):>4}"
        )
        line += f"  {_alone(row.self_play):>9}" * wide
        line += f"  {'' if row.elo is None else format(row.elo, '.0f'):>4}" * elo
        line += f"  {row.tally or '–'!s:>9}" * tallies
        yield line + _remark(row)
    yield ""
    if tallies:
        yield "Mean: wins less losses, a game."
    yield "A rank is one more than the number of agents whose whole 95% interval is better."
    yield "Adjusted: without the luck of partners and deals, as if all had met equally often."
    if (luck := standings.luck) is not None:
        yield (
            f"Standard deviations, in points: between agents {luck.agents:.2f}, between rounds by"
            f" their deals {luck.deals:.2f},\nbetween tables by partners and chance"
            f" {luck.rest:.2f}."
        )


def _rank(rank: int | None) -> str:
    return "–" if rank is None else str(rank)


def _figure(figure: Figure | None) -> str:
    if figure is None:
        return "–"
    if figure.half_width is None:
        return f"{figure.value:.3f}"
    return f"{figure.value:.3f} ± {figure.half_width:.3f}"


def _alone(summary: Summary | None) -> str:
    return "–" if summary is None or summary.mean is None else f"{summary.mean:.2f}"


def _remark(row: Standing) -> str:
    parts = [counted(row.faults, "fault")] if row.faults else []
    if row.removal is not None:
        parts.append(f"removed: {row.removal.reason}" if row.removal.reason else "removed")
    return "  " + ", ".join(parts) if parts else ""


def _pair_lines(pairs: CrossPlay, agents: Sequence[str]) -> Iterator[str]:
    names = max(len(name) for name in agents)
    digits = len(str(len(agents) - 1))
    if pairs.tallies:
        yield "Games won, drawn and lost by the agent in the row against the agent in the column:"
    else:
        yield "Mean score of the agent in the row at tables with the agent in the column:"
    numbers = range(len(agents))
    texts = [[_pair(pairs, one, other) for other in numbers] for one in numbers]
    width = max(6, *(len(text) for row in texts for text in row))
    head = " ".join(f"{number:>{width}}" for number in range(len(agents)))
    yield f"{'':>{digits}}  {'':<{names}} {head}"
    for number, name in enumerate(agents):
        cells = (f"{text:>{width}}" for text in texts[number])
        yield f"{number:>{digits}}  {name:<{names}} {' '.join(cells)}"


def _pair(pairs: CrossPlay, one: int, other: int) -> str:
    mean = pairs.means[one][other]
    if mean is None:
        return "–"
    return str(pairs.tallies[one][other]) if pairs.tallies else f"{mean:.2f}"
