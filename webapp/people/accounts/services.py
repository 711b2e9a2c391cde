"""New accounts and their settings. Signing in, out and resetting passwords are Django's views."""

from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.db.models import Q

from webapp.base.errors import Refused
from webapp.people.accounts.identities import confirm_address
from webapp.people.accounts.models import ADDRESS_TAKEN, User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record


@transaction.atomic
def create_instructor(*, email: str, display_name: str, password: str) -> User:
    """Create an account that may create courses, by an operator's command.

    Raises Refused for a taken address, and ValidationError.
    """
    user = _create(email=email, display_name=display_name, password=password)
    user.may_create_courses = True
    user.save(update_fields=["may_create_courses"])
    confirm_address(user)
    record(
        ActKind.RECORD_ADDED,
        by=None,
        person=user,
        thing="account",
        after={"may_create_courses": True},
        reason="By the command create_instructor",
    )
    return user


RESET_MAIL_PAUSE: Final = timedelta(minutes=10)
"""The minimum time between two links to reset the password of an account."""


def claim_reset_mail(*, user: User, at: datetime) -> bool:
    """Return whether a link may be sent to this account now; the caller sends it."""
    due = Q(reset_mailed_at__isnull=True) | Q(reset_mailed_at__lte=at - RESET_MAIL_PAUSE)
    return bool(User.objects.filter(due, pk=user.pk).update(reset_mailed_at=at))


@transaction.atomic
def set_time_zone(*, user: User, name: str) -> None:
    """Show the user times in this zone; empty: each course's own. Raises ValidationError."""
    user.time_zone = name
    user.clean_fields(exclude=["password"])
    user.save(update_fields=["time_zone"])


def _create(*, email: str, display_name: str, password: str) -> User:
    if User.objects.filter(email=User.objects.normalize_email(email)).exists():
        raise Refused(ADDRESS_TAKEN)
    draft = User(email=email, display_name=display_name)
    validate_password(password, draft)
    return User.objects.create_user(email, password, display_name=display_name.strip())
