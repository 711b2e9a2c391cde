"""Erase the texts of acts: names, old and new values, reasons. Author, time and kind stay.

Words are erased for people who are forgotten and courses that are deleted, never to correct an
entry. The database allows this once, for all words together; the act that erases them names the
acts.
"""

from typing import Any, Final

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import models

from webapp.auditlog.kinds import ActKind
from webapp.auditlog.models import Act
from webapp.auditlog.services import act, record_all

_AT_ONCE: Final = 500


def erase_words(
    of: "models.QuerySet[Act]", *, by: AbstractBaseUser | None, course: Any = None, reason: str
) -> int:
    """Erase the words of these acts and record whose; return how many there were.

    Raises RuntimeError outside of a transaction. ``reason`` must name nobody.
    """
    kept = of.exclude(salt="").exclude(kind=ActKind.WORDS_ERASED.name_kept)
    keys = list(kept.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), _AT_ONCE):
        part = keys[start : start + _AT_ONCE]
        row = act(
            ActKind.WORDS_ERASED,
            by=by,
            course=course,
            after={"entries": len(part)},
            reason=reason,
            erases=part,
        )
        record_all([row])
        Act.objects.filter(pk__in=part).update(thing="", before={}, after={}, reason="", salt="")
    return len(keys)
