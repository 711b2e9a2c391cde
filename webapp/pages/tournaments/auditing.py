"""The part of a tournament's page about its replay audits, for staff."""

from typing import Any

from django.urls import reverse

from webapp.contests.tournaments.auditing import auditing_of
from webapp.contests.tournaments.models import Tournament, TournamentAudit
from webapp.grading.evaluations.models import AuditStatus
from webapp.pages.watching import Watch, watch_state
from webapp.teaching.courses.permissions import Viewer
from webapp.teaching.courses.rights import Right


def audit_context(tournament: Tournament, viewer: Viewer) -> dict[str, Any]:
    """Return the values of the part, for staff."""
    may_audit = Right.INTEGRITY in viewer.rights
    may_mark = may_audit and viewer.course.archived_at is None

    def page_of_game(pk: int) -> str:
        return reverse("tournaments:game", args=[tournament.uuid, pk])

    def page_of_flags(number: int) -> str:
        return reverse("tournaments:flags", args=[tournament.uuid, number]) if may_mark else ""

    return {
        "audit_watch": audit_watch(tournament),  # first: what changes meanwhile is asked for again
        "auditing": auditing_of(tournament, game_address=page_of_game, mark_address=page_of_flags),
        "may_audit": may_audit,
    }


def audit_watch(tournament: Tournament) -> Watch | None:
    """Say how the audits are watched; ``None`` if none waits for its answer. One query."""
    audits = TournamentAudit.objects.filter(participant__tournament=tournament)
    waiting = audits.filter(status=AuditStatus.QUEUED).order_by("pk").values_list("pk", flat=True)
    address = reverse("tournaments:audit_live", args=[tournament.uuid])
    return watch_state(address, list(waiting), part="#audits")
