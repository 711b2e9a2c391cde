"""Notes graders that are new, admits and dismisses them, and opens what they sign."""

from datetime import datetime
from typing import Final, TypeVar

from django.db import transaction

from grader.broker.signing import open_report
from grader.core.errors import RecordError
from grader.core.records import from_json
from webapp.accounts.models import User
from webapp.errors import Refused
from webapp.graders.models import GraderKey
from webapp.storable import storable

__all__ = ["MAX_KEYS", "admit", "admit_key", "dismiss", "note", "opened"]

MAX_KEYS: Final = 200
"""Keys that wait to be admitted: whoever may write to the broker can make up more."""
_KEY_DIGITS: Final = 64

T = TypeVar("T")


def opened(signed_json: str, *, task: str, kind: type[T]) -> tuple[T, str]:
    """Return a report and the public key of the admitted grader that signed it.

    Raises RecordError for a wrong signature, a key that is not admitted, and a malformed report.
    """
    signed = open_report(signed_json, task)
    if not GraderKey.objects.admitted().filter(public_key=signed.key).exists():
        raise RecordError("a report of a grader that is not admitted")
    return from_json(signed.text, kind), signed.key


@transaction.atomic
def note(*, public_key: str, name: str, at: datetime) -> GraderKey:
    """Remember a machine that says it is a grader; an operator may admit it.

    Raises RecordError if too many wait already.
    """
    known = GraderKey.objects.filter(public_key=public_key).first()
    if known is not None:
        return known
    if GraderKey.objects.filter(admitted_at__isnull=True).count() >= MAX_KEYS:
        raise RecordError(f"{MAX_KEYS} graders wait to be admitted already")
    key, _ = GraderKey.objects.get_or_create(
        public_key=public_key,
        defaults={"name": storable(name, characters=200), "first_seen_at": at},
    )
    return key


def admit(key: GraderKey, *, by: User | None, at: datetime) -> None:
    """Believe this grader from now on."""
    waiting = GraderKey.objects.filter(pk=key.pk, admitted_at__isnull=True)
    waiting.update(admitted_at=at, admitted_by=by)


@transaction.atomic
def admit_key(*, public_key: str, name: str, at: datetime) -> GraderKey:
    """Admit a grader whose key somebody has read on its machine, heard of or not.

    Raises Refused if that is no key.
    """
    digits = public_key.strip().lower()
    if len(digits) != _KEY_DIGITS or not set(digits) <= set("0123456789abcdef"):
        raise Refused(
            "A grader's key has 64 hexadecimal digits. On its machine,"
            " python -m grader.broker.signing prints it."
        )
    key, _ = GraderKey.objects.get_or_create(
        public_key=digits, defaults={"name": name, "first_seen_at": at}
    )
    admit(key, by=None, at=at)
    return key


def dismiss(key: GraderKey) -> None:
    """Believe this grader no longer; a machine that still runs asks to be admitted anew."""
    key.delete()
