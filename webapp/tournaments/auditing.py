"""The replay audits of a tournament for staff. Nobody else sees anything of them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from django.db.models import Q

from grader.audit import Conclusion
from grader.core.words import counted
from grader.tournament import Role
from webapp.evaluations.auditing import AuditSection, section_of
from webapp.evaluations.models import AuditStatus
from webapp.tables.games import numbers_of
from webapp.tournaments.models import Participant, Tournament, TournamentAudit, TournamentGame

__all__ = ["AgentAudit", "TournamentAuditing", "auditing_of"]

GameAddress = Callable[[int], str]
"""From the key of a game to its page."""
MarkAddress = Callable[[int], str]
"""From a participant's number to the page on which the reader marks its flags; or to nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentAudit:
    """The audit of one participant."""

    participant: Participant
    section: AuditSection


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentAuditing:
    """All audits of a tournament, as its page shows them."""

    agents: tuple[AgentAudit, ...]
    """Flagged ones first."""
    left: int
    """Agents of teams without an audit, or whose audit failed."""

    @property
    def headline(self) -> str:
        """The progress of the audits, and the number of flagged agents."""
        audits = [agent.section.audit for agent in self.agents]
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
    audits = list(rows.select_related("participant__tournament__assignment", "seen_by"))
    addresses = _addresses(tournament, audits, game_address)
    agents = _agents(audits, addresses, mark_address)
    return TournamentAuditing(agents=tuple(agents), left=_left(tournament))


def _left(tournament: Tournament) -> int:
    """Count those that may be audited. Whoever was out from the beginning may have no games."""
    entrants = tournament.participants.filter(role=Role.ENTRANT.value)
    unaudited = Q(audit__isnull=True) | Q(audit__status=AuditStatus.FAILED)
    return entrants.exclude(excluded_from_round=0).filter(unaudited).count()


def _agents(
    audits: Iterable[TournamentAudit],
    addresses: dict[tuple[int, int], str],
    mark_address: MarkAddress,
) -> list[AgentAudit]:
    agents = [
        AgentAudit(
            participant=audit.participant,
            section=section_of(
                audit,
                address_of=partial(_address_of, addresses, audit.participant.number),
                mark_address=mark_address(audit.participant.number),
                names_grader=bool(audit.flags),
            ),
        )
        for audit in audits
    ]
    return sorted(agents, key=lambda one: (-one.section.audit.flags, one.participant.number))


def _address_of(addresses: dict[tuple[int, int], str], number: int, index: int) -> str:
    return addresses.get((number, index), "")


def _addresses(
    tournament: Tournament, audits: Sequence[TournamentAudit], game_address: GameAddress
) -> dict[tuple[int, int], str]:
    """Return by participant and index the page of the game's first play. One query."""
    indices = {index for audit in audits for index in _told_indices(audit)}
    games = TournamentGame.objects.filter(tournament=tournament, index__in=indices)
    addresses: dict[tuple[int, int], str] = {}
    for pk, index, seating in games.order_by("pk").values_list("pk", "index", "seating"):
        for number in numbers_of(seating):
            addresses.setdefault((number, index), game_address(pk))
    return addresses


def _told_indices(audit: TournamentAudit) -> set[int]:
    """Return the games of which the page tells something."""
    seats = () if audit.report is None else audit.report.seats
    return {seat.index for seat in seats if seat.conclusion is not Conclusion.SAME}
