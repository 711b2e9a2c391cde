"""Two-factor sign-in by django-allauth: who uses it, and its entries in the audit log."""

from typing import Any

from allauth.mfa import signals
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest

from webapp.people.accounts.models import User
from webapp.people.accounts.rate_limits import note_failed_sign_in
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record

_LABELS = {"totp": "authenticator app", "recovery_codes": "recovery codes"}


def has_two_factor(user: User) -> bool:
    """Return whether signing in asks this user for a code."""
    apps = Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP)
    return bool(apps.exists())


@transaction.atomic
def remove_two_factor(*, user: User, by: User | None, reason: str) -> bool:
    """Let the user sign in without a code again; return whether a code was asked for."""
    removed, _ = Authenticator.objects.filter(user=user).delete()
    if removed:
        after = {"two-factor sign-in": "removed by operators"}
        record(ActKind.TWO_FACTOR_CHANGED, by=by, person=user, after=after, reason=reason)
    return bool(removed)


@receiver(signals.authenticator_added)
def _note_added(user: User, authenticator: Authenticator, **_: Any) -> None:
    _record(user, authenticator, "set up")


@receiver(signals.authenticator_reset)
def _note_reset(user: User, authenticator: Authenticator, **_: Any) -> None:
    _record(user, authenticator, "new")


@receiver(signals.authenticator_removed)
def _note_removed(user: User, authenticator: Authenticator, **_: Any) -> None:
    _record(user, authenticator, "removed")


@receiver(signals.authentication_failed)
def _note_wrong_code(request: HttpRequest | None, **_: Any) -> None:
    if request is not None:
        note_failed_sign_in(request)


def _record(user: User, authenticator: Authenticator, what: str) -> None:
    after = {_LABELS.get(authenticator.type, authenticator.type): what}
    with transaction.atomic():
        record(ActKind.TWO_FACTOR_CHANGED, by=user, person=user, after=after)
