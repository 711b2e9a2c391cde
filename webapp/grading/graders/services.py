"""Registers the keys of new graders, admits and dismisses them, and reads signed reports."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, TypeVar

from django.db import transaction

from grader.broker.signing import open_report
from grader.core.errors import RecordError
from grader.core.records import from_json
from webapp.base.errors import Refused
from webapp.base.storable import storable
from webapp.grading.graders.models import GraderKey
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record

MAX_WAITING_KEYS: Final = 200
"""The number of keys that may wait: anyone who may write to the broker can invent keys."""
_WAITING_KEPT: Final = timedelta(days=1)
"""The time that a key waits. A machine that still runs registers its key again within minutes."""
_KEY_DIGITS: Final = 64
NOT_ADMITTED: Final = "a report of a grader that is not admitted"

T = TypeVar("T")


def admitted(keys: Iterable[str]) -> set[str]:
    """Return which of these public keys are admitted graders'. One query."""
    known = GraderKey.objects.admitted().filter(public_key__in=set(keys))
    return set(known.values_list("public_key", flat=True))


def read_report(signed_json: str, *, task: str, kind: type[T]) -> tuple[T, str]:
    """Return a report and the public key of the admitted grader that signed it.

    Raises RecordError for a wrong signature, a key that is not admitted, and a malformed report.
    """
    signed = open_report(signed_json, task)
    if not admitted([signed.key]):
        raise RecordError(NOT_ADMITTED)
    return from_json(signed.text, kind), signed.key


@transaction.atomic
def register_key(*, public_key: str, name: str, at: datetime) -> GraderKey:
    """Return the row of a key; create it, to wait for an operator, if the key is new.

    Raises RecordError if too many keys wait already.
    """
    known = GraderKey.objects.filter(public_key=public_key).first()
    if known is not None:
        return known
    waiting = GraderKey.objects.filter(admitted_at__isnull=True)
    waiting.filter(first_seen_at__lt=at - _WAITING_KEPT).delete()
    if waiting.count() >= MAX_WAITING_KEYS:
        raise RecordError(f"{MAX_WAITING_KEYS} graders wait to be admitted already")
    key, _ = GraderKey.objects.get_or_create(
        public_key=public_key,
        defaults={"name": storable(name, characters=200), "first_seen_at": at},
    )
    return key


def admit(key: GraderKey, *, by: User | None, at: datetime) -> None:
    """Believe this grader's reports from now on. Does nothing if it is admitted already."""
    waiting = GraderKey.objects.filter(pk=key.pk, admitted_at__isnull=True)
    if waiting.update(admitted_at=at, admitted_by=by):
        record(ActKind.GRADER_ADMITTED, by=by, thing=key.name, at=at)


@transaction.atomic
def admit_key(*, public_key: str, name: str, at: datetime) -> GraderKey:
    """Admit a grader by the key that its machine shows. Raises Refused for a malformed key."""
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


@transaction.atomic
def add_key(*, public_key: str, name: str, at: datetime) -> GraderKey:
    """Admit a grader that is new under its name. Raises Refused if the name is taken."""
    if GraderKey.objects.filter(name=name).exists():
        raise Refused(f"There is a grader {name} already.")
    return admit_key(public_key=public_key, name=name, at=at)


@transaction.atomic
def drain(key: GraderKey, *, by: User, at: datetime) -> None:
    """Make a grader take no new work. It finishes its games, and its reports are accepted."""
    if GraderKey.objects.undrained().filter(pk=key.pk).update(drained_at=at):
        record(ActKind.GRADER_DRAINED, by=by, thing=key.name, at=at)


@transaction.atomic
def resume(key: GraderKey, *, by: User, at: datetime) -> None:
    """Have a drained grader take work again."""
    drained = GraderKey.objects.filter(pk=key.pk, drained_at__isnull=False)
    if drained.update(drained_at=None):
        record(ActKind.GRADER_RESUMED, by=by, thing=key.name, at=at)


@transaction.atomic
def dismiss(key: GraderKey, *, by: User | None = None) -> None:
    """Delete a grader's key. If the machine still runs, its next report registers the key again."""
    record(ActKind.GRADER_DISMISSED, by=by, thing=key.name)
    key.delete()
