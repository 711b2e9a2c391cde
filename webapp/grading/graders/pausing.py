"""Pauses all graders and lets them go on: for an outage, an upgrade, or a fault in the rules.

They end what they play, and it is recorded. Uploads are taken, and wait.
"""

from datetime import datetime

from django.db import transaction

from webapp.grading.graders.models import Pause
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record


@transaction.atomic
def pause(*, by: User, at: datetime) -> None:
    """Pause all graders. Does nothing if they are paused already."""
    _, is_new = Pause.objects.get_or_create(pk=1, defaults={"began_at": at, "began_by": by})
    if is_new:
        record(ActKind.GRADERS_PAUSED, by=by, at=at)


@transaction.atomic
def end_pause(*, by: User, at: datetime) -> None:
    """Let all graders go on. Does nothing if they are not paused."""
    ended, _ = Pause.objects.all().delete()
    if ended:
        record(ActKind.GRADERS_WENT_ON, by=by, at=at)


def current_pause() -> Pause | None:
    """Return the pause, if all graders are paused. One query."""
    return Pause.objects.select_related("began_by").first()
