"""Replay audits for staff. Students see nothing of them: a flag is no verdict."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

from grader.audit import Conclusion, SeatAudit
from grader.audit.words import CAUTION, attempts_in_words, explanation, headline
from grader.core.words import counted
from webapp.grading.audits.jobs import audit_jobs_of
from webapp.grading.evaluations.models import Audit, AuditRun, AuditStatus, Evaluation


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedSeat:
    """A seat of a game that is not simply the same."""

    audit: SeatAudit
    address: str
    attempts: tuple[str, ...]

    @property
    def recorded(self) -> str:
        evidence = self.audit.evidence
        return evidence.words.get(evidence.recorded, "") if evidence else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatGroup:
    """Seats with the same outcome."""

    conclusion: Conclusion
    explanation: str
    seats: tuple[AuditedSeat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPart:
    """An audit as a page shows it."""

    audit: AuditRun
    headline: str
    groups: tuple[SeatGroup, ...]
    caution: str
    replayed_by: str = ""
    mark_address: str = ""
    """The page to mark its flags as seen; empty without flags or the right."""


def audit_part(
    evaluation: Evaluation, *, address_of: Callable[[int], str], mark_address: str = ""
) -> AuditPart | None:
    """The evaluation's audit, if there is one. Two queries."""
    audit = Audit.objects.filter(evaluation=evaluation).select_related("seen_by").first()
    if audit is None:
        return None
    return audit_part_of(audit, address_of=address_of, mark_address=mark_address)


def audit_part_of(
    audit: AuditRun,
    *,
    address_of: Callable[[int], str],
    mark_address: str = "",
    names_grader: bool = True,
) -> AuditPart:
    """Return an audit in words.

    ``address_of``: the page of the game with an index. ``names_grader``: say whether another grader
    replayed the games, for a query or two.
    """
    report = audit.report
    if report is None:
        return AuditPart(audit=audit, headline=_waiting(audit), groups=(), caution="")
    return AuditPart(
        audit=audit,
        headline=headline(report.seats),
        groups=_groups(report.seats, address_of),
        caution=CAUTION if audit.flags else "",
        replayed_by=_replayed_by(audit) if names_grader else "",
        mark_address=mark_address if audit.flags else "",
    )


def _replayed_by(audit: AuditRun) -> str:
    if not audit.claimed_by:
        return ""
    games = audit_jobs_of(audit).games_by_grader(audit)
    own = games[audit.claimed_by]
    if not own:
        return "Another grader replayed these games"
    if own == games.total():
        return "The same grader replayed these games, as no other was available"
    return f"The grader that replayed these games had played {own} of {games.total()} itself"


def _waiting(audit: AuditRun) -> str:
    games = counted(audit.n_games, "game")
    if audit.status == AuditStatus.FAILED:
        return f"{games} could not be played again: our machines failed"
    return f"{games} will be played again when no other games wait"


def _groups(
    seats: tuple[SeatAudit, ...], address_of: Callable[[int], str]
) -> tuple[SeatGroup, ...]:
    order = list(Conclusion)
    reported = [seat for seat in seats if seat.conclusion is not Conclusion.SAME]

    def rank(seat: SeatAudit) -> tuple[int, str]:
        return order.index(seat.conclusion), seat.cause or ""

    groups = groupby(sorted(reported, key=rank), key=rank)
    return tuple(_group(tuple(group), address_of) for _, group in groups)


def _group(seats: tuple[SeatAudit, ...], address_of: Callable[[int], str]) -> SeatGroup:
    return SeatGroup(
        conclusion=seats[0].conclusion,
        explanation=explanation(seats[0]),
        seats=tuple(
            AuditedSeat(
                audit=seat,
                address=address_of(seat.index),
                attempts=attempts_in_words(seat.evidence) if seat.evidence else (),
            )
            for seat in seats
        ),
    )
