"""Checks the rows of a course as its forms and services would have, had they made them.

An import checks every row before it is written; reopening a course, those that can be acted on: the
site's limits may have changed.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import models

from grader.core.deals import commitment
from grader.core.errors import GraderError, RecordError
from grader.core.games import Game, game_from_options
from grader.core.position import play_on
from grader.core.records import AgentLimits, Printed, from_json
from grader.interfaces import INTERFACES
from grader.results.evaluation import MAX_GAMES
from grader.tournament import Standings, players_and_fillers, rules_of, standings
from webapp.base.errors import Refused
from webapp.contests.ladders.models import Ladder
from webapp.contests.tables.games import numbers_of
from webapp.contests.tournaments.models import Tournament
from webapp.contests.tournaments.services.scheduling import ledger_of, participants_of, plan_of
from webapp.contests.tournaments.services.starting import refuse_too_much
from webapp.flow.lifecycle.rows import new_columns
from webapp.flow.lifecycle.tables import ArchiveTable, course_tables
from webapp.grading.evaluations.models import STOPPED, Status
from webapp.grading.evaluations.models.result import columns_of, unpack, unpack_json
from webapp.teaching.courses.models import Course
from webapp.teaching.courses.rights import Right
from webapp.teaching.courses.validation import game_count_errors, limit_errors

_AT_ONCE: Final = 500
_FIGURES: Final = ("scores", "ending", "fault_kind", "fault_seat", "fault_turn", "turns")
_REPAIRABLE: Final = (Status.FAILED, Status.CANCELLED)


def check_row(table: ArchiveTable, row: Any) -> None:
    """Raise RecordError unless the row is one that this site could have made.

    Rows that it refers to need not be there yet; the database checks constraints.
    """
    label = table.label
    try:
        row.full_clean(exclude=_unchecked(table), validate_unique=False, validate_constraints=False)
        if table.has_games:
            _check_game(row)
        if check := _CHECKS.get(label):
            check(row)
    except ValidationError as error:
        raise RecordError(_words(error)) from error
    except (GraderError, ValueError, LookupError, TypeError, ArithmeticError) as error:
        raise RecordError(str(error)) from error


def check_course_rows(course: Course) -> None:
    """Check every row of a course that can be acted on, not its games. Raises RecordError."""
    for table in course_tables():
        if table.has_games or not table.is_exported:
            continue
        for row in table.rows_of(course).order_by("pk").iterator(_AT_ONCE):
            try:
                check_row(table, row)
            except RecordError as error:
                raise RecordError(f"{table.model._meta.verbose_name} {row}: {error}") from error


def _words(error: ValidationError) -> str:
    if not hasattr(error, "error_dict"):
        return " ".join(error.messages)
    return "; ".join(f"{name}: {' '.join(texts)}" for name, texts in error.message_dict.items())


def _unchecked(table: ArchiveTable) -> set[str]:
    """Return columns without a check of their own: JSON has its own type."""
    return {column.name for column in new_columns(table)} | {
        column.name
        for column in table.columns
        if column.is_relation or isinstance(column, models.JSONField)
    }


def _check_course(course: Any) -> None:
    known = {right.name_kept for right in Right}
    if unknown := [name for name in course.assistant_rights if name not in known]:
        raise RecordError(f"assistants have no right {unknown[0]!r}")


def _check_commitment(row: Any) -> None:
    if row.commitment != commitment(bytes(row.secret)):
        raise RecordError("its commitment is not that of its secret")


def _check_limits(limits: AgentLimits) -> None:
    if errors := limit_errors(limits):
        raise RecordError(" ".join(errors.values()))


def _check_evaluation(evaluation: Any) -> None:
    spec = evaluation.parsed_spec
    rules = game_from_options(spec.game, spec.options)
    if len(spec.seating) != rules.seats or 0 not in spec.seating:
        raise RecordError(f"its seating is not one of a game of {rules.seats}")
    if set(spec.seating) != set(range(1 + bool(spec.opponents))):
        raise RecordError("its seating names agents that it does not have")
    if not 1 <= evaluation.n_games <= spec.n_games <= MAX_GAMES:
        raise RecordError(f"it has {spec.n_games:,} games, of which {evaluation.n_games:,} count")
    if unknown := [ref.interface for ref in evaluation.agents if ref.interface not in INTERFACES]:
        raise RecordError(f"there is no interface {unknown[0]!r}")
    _check_figures(evaluation, spec.opponents)
    if evaluation.status in _REPAIRABLE:
        _check_limits(spec.limits)
        each = spec.n_games // max(1, len(spec.opponents)) - rules.seats * bool(spec.opponents)
        if errors := game_count_errors({"n_games": each}, spec.opponents):
            raise RecordError(errors["n_games"])


def _check_figures(evaluation: Any, opponents: Sequence[str]) -> None:
    mean, low, high = evaluation.mean, evaluation.low, evaluation.high
    names = [each.name for each in evaluation.wins.opponents] if evaluation.wins else []
    if evaluation.wins is not None and (names != list(opponents) or evaluation.won is None):
        raise RecordError("its wins are not over the opponents of its spec")
    if mean is None and (evaluation.parsed_insights or evaluation.turn_ms or low is not None):
        raise RecordError("it has figures without a mean")
    if (mean is None) is not (evaluation.lost is None):
        raise RecordError("it has a mean, or a number of lost games, without the other")
    if (low is None) is not (high is None) or not (low is None or low <= mean <= high):
        raise RecordError("its interval does not have its mean in it")
    if len(evaluation.turn_ms) not in {0, 3}:
        raise RecordError("its times have no median, p99 or max")
    if (evaluation.lost or 0) > evaluation.n_games or (evaluation.won or 0) > 1:
        raise RecordError("it has lost or won more games than it has")


def _check_game(game: Any) -> None:
    if game.packed:
        result = unpack(bytes(game.packed))
        columns = columns_of(result)
        differ = [name for name in _FIGURES if getattr(game, name) != columns[name]]
        if differ and game.ending != STOPPED:
            raise RecordError(f"its {differ[0]} is not that of its record")
        if result.index != game.index:
            raise RecordError(f"its record is that of game {result.index}")
        game_from_options(result.record.game, result.record.options)
    elif game.ending != STOPPED:
        raise RecordError("it was played, and has no record")
    if getattr(game, "prints", b""):
        from_json(unpack_json(bytes(game.prints)), tuple[Printed, ...])
    if hasattr(game, "seating"):
        _check_seats(game)


def _check_seats(game: Any) -> None:
    seats = numbers_of(game.seating)
    if len(game.scores) != len(seats):
        raise RecordError(f"it has {len(game.scores)} scores for {len(seats)} seats")
    if game.fault_seat is not None and game.fault_seat >= len(seats):
        raise RecordError(f"there is no seat {game.fault_seat}")


def _check_tournament(tournament: Any) -> None:
    _check_commitment(tournament)
    spec = tournament.parsed_spec
    rules_of(spec)
    if tournament.status in _REPAIRABLE:
        _check_limits(spec.limits)


def check_games_together(course: Course) -> None:
    """Check that games at tables fit the others of their contest. Raises RecordError.

    Pages derive plans and standings from all of them.
    """
    for tournament in Tournament.objects.filter(assignment__course=course):
        try:
            _check_plan(tournament)
        except (GraderError, Refused, LookupError, ValueError, TypeError) as error:
            raise RecordError(f"tournament {tournament}: {error}") from error
    for ladder in Ladder.objects.filter(assignment__course=course):
        numbers = set(ladder.entries.values_list("number", flat=True))
        seatings = [*ladder.games.values_list("seating"), *ladder.tables.values_list("members")]
        _check_numbers(f"{ladder}", numbers, (numbers_of(text) for (text,) in seatings))
        _check_standings(f"{ladder}", ladder.standings, numbers)


def _check_plan(tournament: Tournament) -> None:
    participants = participants_of(tournament)
    numbers = set(tournament.participants.values_list("number", flat=True))
    if numbers != set(range(len(numbers))):
        raise RecordError("its participants are not numbered from 0")
    spec = tournament.parsed_spec
    players, fillers = players_and_fillers(participants)
    refuse_too_much(spec, spec.rounds, players, fillers)
    if plan_of(tournament).games != tournament.n_games:
        raise RecordError("it has other games than its plan")
    tables = {table.number: table for table in plan_of(tournament).tables}
    for index, table, seating in tournament.games.values_list("index", "table", "seating"):
        if index not in {game.index for game in tables[table].games}:
            raise RecordError(f"game {index} is of another table")
        _check_numbers("a game", numbers, [numbers_of(seating)])
    ledger = ledger_of(tournament)
    for number in standings(ledger, participants, rules_of(spec)).ranking:
        if number not in numbers:
            raise RecordError(f"it ranks {number}, who does not take part")
    _check_standings("it", tournament.standings, numbers)
    matrix = tournament.cross_play
    size = len(numbers)
    if matrix and any(len(rows) != size or any(len(row) != size for row in rows)
                      for rows in (matrix.games, matrix.means)):  # fmt: skip
        raise RecordError("its matrix is of other participants")


def _check_numbers(whose: str, known: set[int], seatings: Iterable[Iterable[int]]) -> None:
    for seating in seatings:
        if unknown := set(seating) - known:
            raise RecordError(f"{whose} seats {min(unknown)}, who does not take part")


def _check_standings(whose: str, standings: Standings | None, known: set[int]) -> None:
    rows = standings.rows if standings else ()
    _check_numbers(whose, known, [[row.participant for row in rows]])
    if len({row.participant for row in rows}) < len(rows):
        raise RecordError(f"{whose} ranks a participant twice")


def _check_ladder(ladder: Any) -> None:
    rules_of(ladder.parsed_spec)


def _check_agent(row: Any) -> None:
    if row.as_value.agent.interface not in INTERFACES:
        raise RecordError(f"there is no interface {row.as_value.agent.interface!r}")


def _check_human_game(game: Any) -> None:
    rules = game_from_options(game.game, game.options)
    if len(game.occupants) != rules.seats or (game.seat or 0) >= rules.seats:
        raise RecordError(f"it does not have the {rules.seats} seats of its game")
    if len(game.notations) != game.turns or len(game.charged_us) != game.turns:
        raise RecordError("it has other turns than actions")
    if len(game.seed) * 2 != len(game.deal_seed):
        raise RecordError("its deal is not one")
    if rules.rules_version == game.rules_version and dict(rules.options) == game.options:
        play_on(rules, game.seed, game.notations)
        _check_origin(game, rules)


def _check_origin(game: Any, rules: Game) -> None:
    origin = game.played_on_from
    if game.seat is None and origin is None:
        raise RecordError("nobody sits at it")
    if origin is None:
        return
    if origin.turns > game.turns:
        raise RecordError("it has fewer actions than it took over")
    if origin.move:
        play_on(rules, game.seed, [*game.notations[: origin.turns], origin.move])


def _check_audit(audit: Any) -> None:
    if audit.flags and audit.report is None:
        raise RecordError("it has flags without a report")


def _check_table(table: Any) -> None:
    numbers_of(table.members)


_CHECKS: Final[Mapping[str, Callable[[Any], None]]] = {
    "courses.course": _check_course,
    "courses.assignment": _check_commitment,
    "evaluations.audit": _check_audit,
    "evaluations.evaluation": _check_evaluation,
    "ladders.ladder": _check_ladder,
    "ladders.ladderentry": _check_agent,
    "ladders.tablerow": _check_table,
    "playing.humangame": _check_human_game,
    "tournaments.participant": _check_agent,
    "tournaments.tournament": _check_tournament,
    "tournaments.tournamentaudit": _check_audit,
}
