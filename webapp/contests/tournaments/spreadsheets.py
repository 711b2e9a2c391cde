"""A tournament as CSV: the same figures as its pages, for everybody's own analysis."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple
from typing import Final

from grader.tournament import CrossPlay, Figure, Standing
from webapp.base.spreadsheets import Cell, to_csv
from webapp.contests.tournaments.models import Tournament
from webapp.contests.tournaments.selectors import TournamentEntry, counting, faults, is_passed_over

_HEADER = (
    "number", "name", "people", "role", "rank", "place", "games", "tables", "lost",
    "mean", "low", "high", "adjusted_rank", "adjusted", "adjusted_low", "adjusted_high",
    "elo", "self_play_mean", "faults", "out",
)  # fmt: skip


_TALLY: Final = ("wins", "draws", "losses")


def standings_csv(people: Sequence[TournamentEntry]) -> str:
    """A line for each participant; wins, draws and losses last where those are what counts."""
    if not any(ranked.standing and ranked.standing.tally for ranked in people):
        return to_csv(_HEADER, map(_line, people))
    return to_csv((*_HEADER, *_TALLY), ((*_line(each), *_tally(each.standing)) for each in people))


def _tally(row: Standing | None) -> tuple[Cell, ...]:
    return (None,) * len(_TALLY) if row is None or not row.tally else astuple(row.tally)


def _line(ranked: TournamentEntry) -> Sequence[Cell]:
    who, row = ranked.entry, ranked.standing
    start: tuple[Cell, ...] = (who.number, who.name, ", ".join(ranked.names), who.role)
    if row is None:
        return (*start, *(None,) * 15, ranked.why_out)
    return (
        *start, row.rank, row.place, row.games, row.tables, row.lost,
        *_cells(row.mean), row.adjusted_rank, *_cells(row.adjusted),
        row.elo, None if row.self_play is None else row.self_play.mean, row.faults, ranked.why_out,
    )  # fmt: skip


def _cells(figure: Figure | None) -> tuple[Cell, Cell, Cell]:
    return (None, None, None) if figure is None else (figure.value, figure.low, figure.high)


def games_csv(tournament: Tournament, names: Mapping[int, str]) -> str:
    """Return a line for each game and seat, spoiled ones too; ``counts`` only after the end."""
    header = (
        "game", "table", "seat", "number", "name", "score", "ending", "fault", "culprit", "counts",
    )  # fmt: skip
    return to_csv(header, _game_lines(tournament, names))


def _game_lines(tournament: Tournament, names: Mapping[int, str]) -> Iterator[Sequence[Cell]]:
    counted, unit = counting(tournament), tournament.assignment.rules.unit
    for game in tournament.games.defer("packed").iterator(chunk_size=2000):
        passed_over = is_passed_over(game, counted)
        counts = None if counted is None else int(not game.fault_kind and not passed_over)
        for seat, (number, score) in enumerate(zip(game.numbers, game.scores, strict=True)):
            yield (
                game.index, game.table, seat, number, names[number],
                score if unit == 1 else float(score * unit), game.ending,
                game.fault_kind, game.culprit, counts,
            )  # fmt: skip


def matrix_csv(tournament: Tournament, names: Mapping[int, str]) -> str:
    """Return a line for each pair that met: games, and the first agent's mean."""
    header = ("number", "name", "with_number", "with_name", "games", "mean")
    cross_play = tournament.cross_play
    if cross_play is None:
        return to_csv(header, ())
    tally = _TALLY if cross_play.tallies else ()
    return to_csv((*header, *tally), _pairs(cross_play, names))


def _pairs(cross_play: CrossPlay, names: Mapping[int, str]) -> Iterator[Sequence[Cell]]:
    for one, (counts, means) in enumerate(zip(cross_play.games, cross_play.means, strict=True)):
        for other, (count, mean) in enumerate(zip(counts, means, strict=True)):
            if count:
                tally = astuple(cross_play.tallies[one][other]) if cross_play.tallies else ()
                yield one, names[one], other, names[other], count, mean, *tally


def faults_csv(tournament: Tournament) -> str:
    """A line for each participant and kind of fault."""
    rows = (
        (fault.participant.number, fault.participant.name, kind.value, count)
        for fault in faults(tournament)
        for kind, count in sorted(fault.kinds.items())
    )
    return to_csv(("number", "name", "fault", "games"), rows)
