"""Replay audits of a tournament: staff ask for one, and graders play sampled games again.

Sampling, requests and answers are those of every audit (``webapp.evaluations.services.audits``).
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Final

from django.db import transaction
from django.utils import timezone

from grader.audit import AuditedGame, sample
from grader.tournament import Role
from webapp.accounts.models import User
from webapp.auditlog.kinds import ActKind
from webapp.auditlog.services import record
from webapp.courses.models import Team
from webapp.courses.models.assignment import MAX_AUDITED
from webapp.courses.permissions import require_right, require_unarchived
from webapp.courses.rights import Right
from webapp.errors import Refused
from webapp.evaluations.models import STOPPED, AuditStatus
from webapp.evaluations.services.audits import Audited, AuditJobs, new_seed, tally
from webapp.jobs.models import Sending
from webapp.jobs.owners import locked
from webapp.tables.games import SeatedGameQuerySet, numbers_of
from webapp.tournaments.models import Participant, Tournament, TournamentAudit, TournamentGame

__all__ = ["DEFAULT_GAMES", "TournamentAudits", "start_audit"]

DEFAULT_GAMES: Final = 10
"""Audited games of each agent if the assignment audits none automatically."""


@transaction.atomic
def start_audit(
    *, tournament: Tournament, by: User, n_games: int, at: datetime | None = None
) -> list[TournamentAudit]:
    """Ask for an audit of each team's agent that has none, or whose audit failed.

    Raises NotAllowed; Refused while games are played, and where nothing is left to audit.
    """
    course = tournament.assignment.course
    require_right(by, course, Right.INTEGRITY)
    require_unarchived(course)
    if not 1 <= n_games <= MAX_AUDITED:
        raise Refused(f"Audit between 1 and {MAX_AUDITED} games of each agent.")
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


def _words_for(tournament: Tournament) -> str:
    return f"{tournament.assignment}, {tournament}"


def _new_audits(tournament: Tournament, n_games: int, at: datetime) -> Iterator[TournamentAudit]:
    """Yield an audit of each team's agent without one, as far as its sources are there.

    House agents are ours, and need none.
    """
    waiting = tournament.participants.filter(
        role=Role.ENTRANT.value, audit__isnull=True, submission__sources_removed_at__isnull=True
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
    """Return the games that each participant played, by index. One query."""
    indices: dict[int, set[int]] = {}
    for index, seating in _auditable(tournament).values_list("index", "seating"):
        for number in numbers_of(seating):
            indices.setdefault(number, set()).add(index)
    return indices


def _auditable(tournament: Tournament) -> SeatedGameQuerySet[TournamentGame]:
    """Return the games that have a turn and were not stopped."""
    games = TournamentGame.objects.filter(tournament=tournament)
    return games.exclude(ending=STOPPED).filter(turns__gt=0)


def _games_of_sample(audit: TournamentAudit) -> SeatedGameQuerySet[TournamentGame]:
    """Return the games of the sample, by index; those of an index in the order of their plays."""
    participant = audit.participant
    games = _auditable(participant.tournament).of(participant.number)
    return games.filter(index__in=audit.indices).order_by("index", "pk")


def _first_plays(audit: TournamentAudit) -> Iterator[TournamentGame]:
    """Yield the sample. One query.

    Of a game that was played again at another table, it is the first play: later ones can still be
    added, and every attempt asks for the same.
    """
    for _, plays in groupby(_games_of_sample(audit), key=attrgetter("index")):
        yield next(plays)


class TournamentAudits(AuditJobs[TournamentAudit]):
    """The jobs of audits of participants."""

    field = "tournament_audit"
    model = TournamentAudit
    related = ("participant__tournament__assignment",)

    def course_of(self, audit: TournamentAudit) -> int:
        """Return the tournament's course."""
        return audit.participant.tournament.assignment.course_id

    def team_of(self, audit: TournamentAudit) -> Team:
        """Return the participant's team."""
        if audit.participant.submission is None:
            raise ValueError("only teams are audited")
        return audit.participant.submission.team

    def name_of(self, audit: TournamentAudit) -> str:
        """Return the tournament's name."""
        return _words_for(audit.participant.tournament)

    def audited(self, audit: TournamentAudit) -> Audited:
        """Return the participant's agent, and its games with its seats."""
        participant: Participant = audit.participant
        return Audited(
            agent=participant.as_value.agent,
            limits=participant.tournament.parsed_spec.limits,
            games=tuple(
                AuditedGame(index=game.index, record=game.record, seats=_seats(game, participant))
                for game in _first_plays(audit)
                if game.record
            ),
        )

    def games_by_grader(self, audit: TournamentAudit) -> Counter[str]:
        """Count the games of the tables that the sample is from. Two queries."""
        tables = set(_games_of_sample(audit).values_list("table", flat=True))
        return tally(audit.participant.tournament.jobs.filter(payload__table__in=tables))


def _seats(game: TournamentGame, participant: Participant) -> tuple[int, ...]:
    return tuple(seat for seat, number in enumerate(game.numbers) if number == participant.number)
