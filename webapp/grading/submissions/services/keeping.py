"""Keeps a file that was sent after its sender had been signed out, until they sign in.

The form carries a signed token that names its owner: nothing is kept for strangers.
"""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.core import signing

from webapp.base.storable import storable
from webapp.grading.submissions.models import KeptUpload
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment

KEPT_FOR: Final = timedelta(hours=1)
MAX_KEPT: Final = 300
"""Files that are kept at once: of no more than ``MAX_UPLOAD_BYTES`` each."""
_FORM_VALID: Final = timedelta(days=14)
_SALT: Final = "webapp.submissions.keeping"


# See webapp/decisions/kept-uploads.md
def form_token(user: User, assignment: Assignment) -> str:
    """Return the token for this user's upload form."""
    return signing.dumps([user.pk, assignment.pk], salt=_SALT)


def keep_upload(
    *, token: str, filename: str, data: bytes, interface: str, agent_class: str, at: datetime
) -> bool:
    """Keep a file for the user of the form; return whether it is kept."""
    try:
        user, assignment = signing.loads(token, salt=_SALT, max_age=_FORM_VALID)
    except signing.BadSignature:
        return False
    forget_old(at=at)
    if not 0 < len(data) <= settings.MAX_UPLOAD_BYTES or not _may_keep(user, assignment):
        return False
    KeptUpload.objects.update_or_create(
        user_id=user,
        assignment_id=assignment,
        defaults={
            "filename": storable(filename, characters=120),
            "data": data,
            "interface": storable(interface, characters=20),
            "agent_class": storable(agent_class, characters=100),
            "at": at,
        },
    )
    return True


def _may_keep(user: int, assignment: int) -> bool:
    users = User.objects.filter(pk=user, is_active=True)
    takes_uploads = Assignment.objects.filter(pk=assignment, course__archived_at__isnull=True)
    others = KeptUpload.objects.exclude(user=user, assignment=assignment)
    return users.exists() and takes_uploads.exists() and others.count() < MAX_KEPT


def kept_upload(user: User, assignment: Assignment, *, at: datetime) -> KeptUpload | None:
    """Return the file that is kept for this user and assignment. One query."""
    rows = KeptUpload.objects.filter(user=user, assignment=assignment, at__gt=at - KEPT_FOR)
    return rows.first()


def forget_kept(user: User, assignment: Assignment) -> None:
    """Delete the file kept for this user and assignment."""
    KeptUpload.objects.filter(user=user, assignment=assignment).delete()


def forget_old(*, at: datetime) -> int:
    """Delete files whose users did not come back; return how many."""
    deleted, _ = KeptUpload.objects.filter(at__lte=at - KEPT_FOR).delete()
    return deleted
