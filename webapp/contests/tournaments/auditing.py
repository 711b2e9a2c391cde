"""Replay audits of a tournament: staff ask for them, and alone see what came out.

Sampling, requests and answers are those of every audit (``webapp.grading.audits``).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from grader.audit import AuditedGame, Conclusion, sample
from grader.core.words import counted
from grader.tournament import ParticipantRole
from webapp.base.errors import Refused
from webapp.contests.tables.games import SeatedGameQuerySet, numbers_of
from webapp.contests.tournaments.models import (
    Participant,
    Tournament,
    TournamentAudit,
    TournamentGame,
)
from webapp.grading.audits.jobs import Audited, AuditJobs, new_seed, tally
from webapp.grading.audits.outcomes import AuditPart, audit_part_of
from webapp.grading.evaluations.models import STOPPED, AuditStatus
from webapp.grading.jobs.models import Sending
from webapp.grading.jobs.owners import locked
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.models import Assignment, Team
from webapp.teaching.courses.models.assignment import MAX_AUDITED
from webapp.teaching.courses.permissions import require_right, require_unarchived
from webapp.teaching.courses.rights import Right

DEFAULT_GAMES: Final = 10
"""Audited games of each agent if the assignment audits none automatically."""


@transaction.atomic
def start_audit(
    *, tournament: Tournament, by: User, n_games: int, at: datetime | None = None
) -> list[TournamentAudit]:
    """Ask for an audit of each team's agent that has none, or whose audit failed.

    Raises NotAllowed, Refused.
    """
    course = tournament.assignment.course
    require_right(by, course, Right.INTEGRITY)
    require_unarchived(course)
    if not 1 <= n_games <= MAX_AUDITED:
        raise Refused(f"Audit between 1 and {MAX_AUDITED} games of each agent.")
    if tournament.assignment.rules.folder:
        raise Refused("The rules of an uploaded game run on graders alone: it is not audited.")
    tournament = locked(tournament)
    if not tournament.is_over:
        raise Refused("Games are still being played. You can audit a tournament once it is over.")
    now = at or timezone.now()
    failed = TournamentAudit.objects.filter(status=AuditStatus.FAILED)
    failed.filter(participant__tournament=tournament).delete()
    audits = TournamentAudit.objects.bulk_create(_new_audits(tournament, n_games, now))
    if not audits:
        raise Refused("No agent of this tournament is left to audit.")
    TournamentAudits().add(audits, Sending(at=now))
    thing = _words_for(tournament)
    after = {"agents": len(audits), "games of each": n_games}
    record(ActKind.TOURNAMENT_AUDITED, by=by, course=course, thing=thing, after=after, at=now)
    return audits


def flagged_teams(assignment: Assignment) -> QuerySet[Submission, int]:
    """Return the keys of teams with flags in a tournament that staff have not marked as seen."""
    uploads = Submission.objects.filter(team__assignment=assignment)
    entered = uploads.filter(tournaments__audit__flags__gt=0, tournaments__audit__seen_at=None)
    return entered.order_by().values_list("team", flat=True)


def _words_for(tournament: Tournament) -> str:
    return f"{tournament.assignment}, {tournament}"


def _new_audits(tournament: Tournament, n_games: int, at: datetime) -> Iterator[TournamentAudit]:
    """Yield an audit of each team's agent without one, as far as its sources are there."""
    waiting = tournament.participants.filter(
        role=ParticipantRole.ENTRANT.value,
        audit__isnull=True,
        submission__sources_removed_at__isnull=True,
    )
    played = _indices_by_number(tournament)
    for participant in waiting:
        seed = new_seed()
        chosen = list(sample(played.get(participant.number, ()), games=n_games, seed=seed))
        if chosen:
            yield TournamentAudit(
                participant=participant, n_games=len(chosen), indices=chosen, seed=seed,
                created_at=at,
            )  # fmt: skip


def _indices_by_number(tournament: Tournament) -> Mapping[int, set[int]]:
    indices: dict[int, set[int]] = {}
    for index, seating in _auditable(tournament).values_list("index", "seating"):
        for number in numbers_of(seating):
            indices.setdefault(number, set()).add(index)
    return indices


def _auditable(tournament: Tournament) -> SeatedGameQuerySet[TournamentGame]:
    games = TournamentGame.objects.filter(tournament=tournament)
    return games.exclude(ending=STOPPED).filter(turns__gt=0)


def _games_of_sample(audit: TournamentAudit) -> SeatedGameQuerySet[TournamentGame]:
    participant = audit.participant
    games = _auditable(participant.tournament).of(participant.number)
    return games.filter(index__in=audit.indices).order_by("index", "pk")


def _first_plays(audit: TournamentAudit) -> Iterator[TournamentGame]:
    """Yield the sample. One query.

    Of a game that was played again, it is the first play: later ones can still be added, and every
    attempt asks for the same.
    """
    for _, plays in groupby(_games_of_sample(audit), key=attrgetter("index")):
        yield next(plays)


class TournamentAudits(AuditJobs[TournamentAudit]):
    field = "tournament_audit"
    model = TournamentAudit
    related = ("participant__tournament__assignment",)

    def course_of(self, audit: TournamentAudit) -> int:
        return audit.participant.tournament.assignment.course_id

    def team_of(self, audit: TournamentAudit) -> Team:
        if audit.participant.submission is None:
            raise ValueError("only teams are audited")
        return audit.participant.submission.team

    def name_of(self, audit: TournamentAudit) -> str:
        return _words_for(audit.participant.tournament)

    def audited(self, audit: TournamentAudit) -> Audited:
        participant: Participant = audit.participant
        return Audited(
            agent=participant.as_value.agent,
            limits=participant.tournament.parsed_spec.limits,
            games=tuple(
                AuditedGame(index=game.index, record=game.record, seats=_seats(game, participant))
                for game in _first_plays(audit)
                if game.record
            ),
            game_version=participant.tournament.assignment.game_version,
        )

    def games_by_grader(self, audit: TournamentAudit) -> Counter[str]:
        tables = set(_games_of_sample(audit).values_list("table", flat=True))
        return tally(audit.participant.tournament.jobs.filter(payload__table__in=tables))


def _seats(game: TournamentGame, participant: Participant) -> tuple[int, ...]:
    return tuple(seat for seat, number in enumerate(game.numbers) if number == participant.number)


# --- As the page shows them -----------------------------------------------------------------------

GameAddress = Callable[[int], str]
"""From the key of a game to its page."""
MarkAddress = Callable[[int], str]
"""From a participant's number to the page on which the reader marks its flags; or to nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentAuditing:
    agents: tuple[AuditPart, ...]
    left: int
    """Agents of teams without an audit, or whose audit failed."""

    @property
    def headline(self) -> str:
        audits = [agent.audit for agent in self.agents]
        done = sum(audit.status == AuditStatus.FINISHED for audit in audits)
        flagged = sum(bool(audit.flags) for audit in audits)
        seen = sum(audit.seen_at is not None for audit in audits)
        of = counted(len(audits), "agent")
        words = f"{done} of {of} audited" if done < len(audits) else f"{of} audited"
        marked = f" ({seen} marked as seen)" if seen else ""
        return f"{words}, {flagged or 'none'} flagged{marked}" if done else words


def auditing_of(
    tournament: Tournament, *, game_address: GameAddress, mark_address: MarkAddress = lambda _: ""
) -> TournamentAuditing:
    """Return the audits of a tournament. Three queries, and three for each flagged agent."""
    rows = TournamentAudit.objects.filter(participant__tournament=tournament)
    rows = rows.select_related("participant__tournament__assignment", "seen_by")
    audits = list(rows.order_by("-flags", "participant__number"))
    addresses = _addresses(tournament, audits, game_address)
    agents = (
        audit_part_of(
            audit,
            address_of=partial(_address_of, addresses, audit.participant.number),
            mark_address=mark_address(audit.participant.number),
            names_grader=bool(audit.flags),
        )
        for audit in audits
    )
    return TournamentAuditing(agents=tuple(agents), left=_left(tournament))


def _left(tournament: Tournament) -> int:
    """Count participants that may be audited. One out from the beginning may have no games."""
    entrants = tournament.participants.filter(role=ParticipantRole.ENTRANT.value)
    unaudited = Q(audit__isnull=True) | Q(audit__status=AuditStatus.FAILED)
    return entrants.exclude(excluded_from_round=0).filter(unaudited).count()


def _address_of(addresses: dict[tuple[int, int], str], number: int, index: int) -> str:
    return addresses.get((number, index), "")


def _addresses(
    tournament: Tournament, audits: Sequence[TournamentAudit], game_address: GameAddress
) -> dict[tuple[int, int], str]:
    indices = {index for audit in audits for index in _told_indices(audit)}
    games = TournamentGame.objects.filter(tournament=tournament, index__in=indices)
    addresses: dict[tuple[int, int], str] = {}
    for pk, index, seating in games.order_by("pk").values_list("pk", "index", "seating"):
        for number in numbers_of(seating):
            addresses.setdefault((number, index), game_address(pk))
    return addresses


def _told_indices(audit: TournamentAudit) -> set[int]:
    seats = () if audit.report is None else audit.report.seats
    return {seat.index for seat in seats if seat.conclusion is not Conclusion.SAME}
