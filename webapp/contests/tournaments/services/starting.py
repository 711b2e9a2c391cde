"""Starts a tournament: its participants and rules are frozen at that moment."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from statistics import NormalDist, fmean
from typing import Final

import msgspec
from django.db import transaction
from django.utils import timezone

from grader.core.deals import commitment
from grader.core.errors import PlanError, RulesError
from grader.core.records import AgentRef
from grader.core.words import counted
from grader.results.statistics import CONFIDENCE, t_quantile
from grader.tournament import (
    ParticipantRole,
    Policy,
    TournamentSpec,
    rounds_for_games,
    rounds_for_precision,
    rules_of,
)
from webapp.base.errors import Refused
from webapp.contests.tables.contests import stored_house_agents
from webapp.contests.tournaments.models import Participant, Tournament
from webapp.contests.tournaments.services.scheduling import plan_of, schedule_next
from webapp.grading.evaluations.models import Status
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.selectors import agent_of, counted_submissions
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.locks import lock
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.permissions import require_instructor

MAX_GAMES: Final = 100_000
MAX_ROUNDS: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSpread:
    """The spread of one agent's means between tables, in points, and the kind of these tables."""

    sd: float
    sizes: tuple[int, ...]
    games_per_table: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSetting:
    """An instructor's choices. Exactly one of ``rounds``, ``games``, ``half_width`` is given."""

    sizes: tuple[int, ...]
    rounds: int | None = None
    games: int | None = None
    """A minimum total number of games, in whole rounds."""
    half_width: float | None = None
    """The precision to which every mean is to be known, ± in points."""
    games_per_table: int = 1
    rotated: bool = False
    duplicates: bool = False
    self_play_games: int = 0
    policy: Policy = field(default_factory=Policy)
    references: tuple[str, ...] = ()
    fillers: tuple[str, ...] = ()


def start_tournament(
    *,
    assignment: Assignment,
    by: User,
    title: str,
    setting: TournamentSetting,
    at: datetime | None = None,
) -> Tournament:
    """Let every team's counted submission take part. Raises NotAllowed, Refused."""
    require_instructor(by, assignment.course)
    house = stored_house_agents(assignment, {*setting.references, *setting.fillers})
    now = at or timezone.now()
    with transaction.atomic():
        lock(assignment)
        assignment.require_installed_game()
        entrants = _entrants(assignment)
        players = len(entrants) + len(setting.references)
        spec = _spec(assignment, setting, players, len(setting.fillers))
        tournament = Tournament(
            assignment=assignment,
            title=title,
            spec=msgspec.to_builtins(spec),
            requested_by=by,
            requested_at=now,
            n_games=1,
        )
        tournament.commitment = commitment(bytes(tournament.secret))
        tournament.save()
        Participant.objects.bulk_create(_participants(tournament, entrants, setting, house))
        tournament.n_games = plan_of(tournament).games
        tournament.save(update_fields=["n_games"])
        record(
            ActKind.TOURNAMENT_STARTED,
            by=by,
            course=assignment.course,
            thing=f"{assignment}, {tournament}",
            at=now,
        )
        schedule_next(tournament, at=now)
    return tournament


def _entrants(assignment: Assignment) -> list[Submission]:
    submissions = counted_submissions(assignment).values()
    playable = [row for row in submissions if row.sources_removed_at is None]
    if not playable:
        raise Refused("No team has a submission that counts yet.")
    return sorted(playable, key=lambda submission: submission.team_id)


def _participants(
    tournament: Tournament,
    entrants: list[Submission],
    setting: TournamentSetting,
    house: dict[str, AgentRef],
) -> Iterator[Participant]:
    """Yield entrants, references, fillers: their order is their number."""
    options = tournament.assignment.interface_options
    number = 0
    for submission in entrants:
        agent = agent_of(submission, options)
        yield Participant(
            tournament=tournament,
            number=number,
            role=ParticipantRole.ENTRANT.value,
            name=submission.team.alias,
            submission=submission,
            agent=msgspec.to_builtins(agent),
        )
        number += 1
    for role, names in (
        (ParticipantRole.REFERENCE, setting.references),
        (ParticipantRole.FILLER, setting.fillers),
    ):
        for name in names:
            yield Participant(
                tournament=tournament,
                number=number,
                role=role.value,
                name=name,
                house_agent=name,
                agent=msgspec.to_builtins(house[name]),
            )
            number += 1


def _spec(
    assignment: Assignment, setting: TournamentSetting, players: int, fillers: int
) -> TournamentSpec:
    try:
        spec = TournamentSpec(
            **assignment.plan,
            sizes=setting.sizes,
            rounds=1,
            games_per_table=setting.games_per_table,
            rotated=setting.rotated,
            duplicates=setting.duplicates,
            self_play_games=setting.self_play_games,
            policy=setting.policy,
        )
        rules_of(spec)
        rounds = _rounds(assignment, spec, setting, players, fillers)
        refuse_too_much(spec, rounds, players, fillers)
    except (PlanError, RulesError) as error:
        text = str(error)
        raise Refused(f"{text[:1].upper()}{text[1:]}.") from error
    return replace(spec, rounds=rounds)


def _rounds(
    assignment: Assignment,
    spec: TournamentSpec,
    setting: TournamentSetting,
    players: int,
    fillers: int,
) -> int:
    if setting.games is not None:
        games = min(setting.games, MAX_GAMES + 1)
        return rounds_for_games(spec, players=players, fillers=fillers, games=games)
    if setting.half_width is None:
        return setting.rounds or 1
    measured = table_spread(assignment, like=spec)
    if measured is None:
        raise Refused(
            "How much scores vary from table to table is not known yet: play a tournament of some"
            f" rounds first, with {counted(spec.games_per_table, 'game')} at each table and tables"
            " as large, and ask for a precision then."
        )
    sd = measured.sd
    least = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * sd / MAX_ROUNDS**0.5
    return rounds_for_precision(
        spec,
        players=players,
        fillers=fillers,
        half_width=max(setting.half_width, least),
        table_sd=sd,
    )


def refuse_too_much(spec: TournamentSpec, rounds: int, players: int, fillers: int) -> None:
    """Raise Refused for a plan of more games or rounds than this site plays."""
    alone = players * spec.self_play_games * len(spec.sizes)
    left = max(MAX_GAMES - alone, 0)
    most = rounds_for_games(spec, players=players, fillers=fillers, games=left + 1)
    if rounds >= most:
        raise Refused(f"A tournament can have at most {MAX_GAMES} games: ask for fewer.")
    if rounds > MAX_ROUNDS:
        raise Refused(f"A tournament can have at most {MAX_ROUNDS} rounds: ask for fewer.")


def table_spread(
    assignment: Assignment, *, like: TournamentSpec | None = None
) -> TableSpread | None:
    """Return the spread in the latest tournament here that ended, or with tables like these.

    From the half widths of means: Student's t · sd / √tables. ``None`` without one.
    """
    ended = assignment.tournaments.filter(status=Status.FINISHED).order_by("-finished_at")
    for tournament in ended.iterator(chunk_size=10):
        if like is None or _tables(tournament.parsed_spec) == _tables(like):
            return _spread(tournament)
    return None


def _tables(spec: TournamentSpec) -> tuple[object, ...]:
    """Return the settings that the spread between tables depends on, besides who sits there."""
    return spec.options, sorted(spec.sizes), spec.games_per_table, spec.rotated


def _spread(ended: Tournament) -> TableSpread | None:
    if ended.standings is None:
        return None
    spec = ended.parsed_spec
    sds = [
        # Intervals are of rounds; with duplicates an agent has several tables in one.
        reach / t_quantile(min(row.tables, spec.rounds) - 1) * row.tables**0.5
        for row in ended.standings.rows
        if row.mean is not None and (reach := row.mean.half_width) is not None
    ]
    sd = fmean(sds) if sds else 0.0
    if not sd:
        return None
    return TableSpread(sd=sd, sizes=spec.sizes, games_per_table=spec.games_per_table)
