"""Write acts into the log, in the transaction that does them. The only way to write it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import connection, models
from django.utils import timezone

from webapp.people.auditlog.digests import new_salt, words_digest_of
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.models import Act, Plain

_collecting: Final[ContextVar[list[Act] | None]] = ContextVar("collecting", default=None)


@contextmanager
def recorded() -> Iterator[list[Act]]:
    """Collect the acts that are recorded within this block, in their order."""
    acts: list[Act] = []
    token = _collecting.set(acts)
    try:
        yield acts
    finally:
        _collecting.reset(token)


# See webapp/decisions/audit-log.md
def record(kind: ActKind, **details: Any) -> None:
    """Write an act that changed something. Raises RuntimeError outside of a transaction."""
    record_all([act(kind, **details)])


def record_all(acts: Iterable[Act]) -> None:
    """Write acts with one query. Raises RuntimeError outside of a transaction."""
    rows = [row for row in acts if not row.before or row.before != row.after]
    if not rows:
        return
    if not connection.in_atomic_block:
        raise RuntimeError("acts are recorded in the transaction that does them")
    Act.objects.bulk_create(rows)
    if (collected := _collecting.get()) is not None:
        collected += rows


def act(
    kind: ActKind,
    *,
    by: AbstractBaseUser | None,
    course: models.Model | None = None,
    person: AbstractBaseUser | int | None = None,
    team: models.Model | int | None = None,
    thing: object = "",
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
    reason: str = "",
    at: datetime | None = None,
    erases: Sequence[int] = (),
) -> Act:
    """Return a row for ``record_all``. ``by`` is ``None`` if the site acted by itself.

    ``course`` is by default that of the thing or of the team.
    """
    row = Act(
        kind=kind.name_kept,
        by_id=_key(by),
        course_id=_key(course or _course_of(thing) or _course_of(team)),
        person_id=_key(person),
        team_id=_key(team),
        thing=str(thing)[:200],
        before=_plain(before),
        after=_plain(after),
        reason=reason.strip()[:500],
        at=at or timezone.now(),
        salt=new_salt(),
        erases=list(erases),
    )
    row.words_digest = words_digest_of(row)
    return row


def changed_values(row: models.Model, values: Mapping[str, object]) -> dict[str, dict[str, object]]:
    """Return ``before`` and ``after`` of the values that differ from the row's. Call it first."""
    changed = {name: value for name, value in values.items() if getattr(row, name) != value}
    return {"before": {name: getattr(row, name) for name in changed}, "after": changed}


def _course_of(row: object) -> models.Model | None:
    course: models.Model | None = getattr(getattr(row, "assignment", row), "course", None)
    return course


def _key(row: models.Model | AbstractBaseUser | int | None) -> Any:
    return row.pk if isinstance(row, models.Model) else row


def _plain(values: Mapping[str, object] | None) -> dict[str, Plain]:
    return {name: _value(value) for name, value in (values or {}).items()}


def _value(value: object) -> Plain:
    if value is None or isinstance(value, bool | int) or type(value) is str:
        return value
    if isinstance(value, datetime):
        return value.isoformat(timespec="minutes")
    return str(value)[:1000]
