"""Flags of replay audits: staff mark them as seen with a note, or as not seen again."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from webapp.base.errors import NO_REASON, Refused
from webapp.grading.audits.jobs import audit_jobs_of
from webapp.grading.evaluations.models import AuditRun
from webapp.grading.jobs.owners import locked
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.permissions import require_right_for, require_unarchived
from webapp.teaching.courses.rights import Right

_Mark = tuple[datetime | None, User | None, str]
_UNSEEN: Final[_Mark] = (None, None, "")


@transaction.atomic
def mark_flags(
    *, audit: AuditRun, by: User, is_seen: bool, note: str, at: datetime | None = None
) -> None:
    """Mark the flags of an audit as seen, or as not seen again; the log keeps the note.

    Raises NotAllowed, ValidationError; Refused without a note, or if nothing would change.
    """
    team = audit_jobs_of(audit).team_of(audit)
    require_right_for(by, team, Right.INTEGRITY)
    require_unarchived(team.assignment.course)
    if not note.strip():
        raise Refused(NO_REASON)
    now = at or timezone.now()
    _write(locked(audit), (now, by, note.strip()) if is_seen else _UNSEEN)
    record(
        ActKind.FLAG_SEEN if is_seen else ActKind.FLAG_UNSEEN,
        by=by,
        team=team,
        thing=audit_jobs_of(audit).name_of(audit),
        reason=note,
        at=now,
    )


def _write(audit: AuditRun, mark: _Mark) -> None:
    if not audit.flags or (audit.seen_at is None) == (mark == _UNSEEN):
        raise Refused("These flags were marked so before. Nothing was changed.")
    audit.seen_at, audit.seen_by, audit.seen_note = mark
    audit.full_clean()
    audit.save(update_fields=["seen_at", "seen_by", "seen_note"])
