"""Replay audits for staff. Students see nothing of them: a flag is no verdict."""

from dataclasses import dataclass
from itertools import groupby

from grader.audit import Conclusion, SeatAudit
from grader.audit.words import CAUTION, attempts_in_words, explanation, headline
from grader.core.words import counted
from webapp.evaluations.models import Audit, AuditStatus, Evaluation
from webapp.evaluations.services.audits import games_by_grader

__all__ = ["AuditSection", "AuditedSeat", "SeatGroup", "audit_section"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedSeat:
    """A seat of a game that is not simply the same."""

    audit: SeatAudit
    attempts: tuple[str, ...]
    """The runs' actions in the turn, a line per kind of run."""

    @property
    def recorded(self) -> str:
        """The action in the recorded game, in words."""
        evidence = self.audit.evidence
        return evidence.words.get(evidence.recorded, "") if evidence else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatGroup:
    """Seats with the same outcome."""

    conclusion: Conclusion
    explanation: str
    seats: tuple[AuditedSeat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditSection:
    """An audit as the evaluation's page shows it."""

    audit: Audit
    headline: str
    groups: tuple[SeatGroup, ...]
    """Flags first."""
    caution: str
    replayed_by: str = ""
    """A sentence: whether another grader replayed the games. Empty if that is unknown."""


def audit_section(evaluation: Evaluation) -> AuditSection | None:
    """The evaluation's audit, if there is one. Two queries."""
    audit = Audit.objects.filter(evaluation=evaluation).first()
    if audit is None:
        return None
    report = audit.report
    if report is None:
        return AuditSection(audit=audit, headline=_waiting(audit), groups=(), caution="")
    return AuditSection(
        audit=audit,
        headline=headline(report.seats),
        groups=_groups(report.seats),
        caution=CAUTION if audit.flags else "",
        replayed_by=_replayed_by(audit),
    )


def _replayed_by(audit: Audit) -> str:
    if not audit.claimed_by:
        return ""
    games = games_by_grader(audit.evaluation)
    own = games[audit.claimed_by]
    if not own:
        return "Another grader replayed these games"
    if own == games.total():
        return "The same grader replayed these games, as no other was available"
    return f"The grader that replayed these games had played {own} of {games.total()} itself"


def _waiting(audit: Audit) -> str:
    games = counted(audit.n_games, "game")
    if audit.status == AuditStatus.FAILED:
        return f"{games} could not be played again: our machines gave up"
    return f"{games} will be played again when no other games wait"


def _groups(seats: tuple[SeatAudit, ...]) -> tuple[SeatGroup, ...]:
    order = list(Conclusion)
    reported = [seat for seat in seats if seat.conclusion is not Conclusion.SAME]

    def rank(seat: SeatAudit) -> tuple[int, str]:
        return order.index(seat.conclusion), seat.cause or ""

    return tuple(_group(tuple(group)) for _, group in groupby(sorted(reported, key=rank), key=rank))


def _group(seats: tuple[SeatAudit, ...]) -> SeatGroup:
    return SeatGroup(
        conclusion=seats[0].conclusion,
        explanation=explanation(seats[0]),
        seats=tuple(
            AuditedSeat(
                audit=seat,
                attempts=attempts_in_words(seat.evidence) if seat.evidence else (),
            )
            for seat in seats
        ),
    )
