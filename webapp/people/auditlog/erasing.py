"""Erase the texts of acts: names, old and new values, reasons. Author, time and kind stay.

For people who are forgotten and courses that are deleted, never to correct an entry.
"""

import json
import re
from collections.abc import Iterable
from typing import Any, Final

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from webapp.base.storable import texts_in
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.models import Act
from webapp.people.auditlog.services import act, record_all

_AT_ONCE: Final = 500


# See webapp/decisions/erasing-the-audit-log.md
def erase_words(
    of: "QuerySet[Act]", *, by: AbstractBaseUser | None, course: Any = None, reason: str
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


def acts_with_address(acts: "QuerySet[Act]", address: str) -> set[int]:
    """Return the keys of the acts with this e-mail address, not as a part of a longer one."""
    return _matching(acts, address, rf"(?<![\w.+-]){re.escape(address)}(?![\w-]|\.\w)")


def acts_with_name(acts: "QuerySet[Act]", name: str) -> set[int]:
    """Return the keys of the acts with this name, not as a part of another word or address."""
    return _matching(acts, name, rf"(?<!\w){re.escape(name)}(?![\w@])")


def _matching(acts: "QuerySet[Act]", text: str, pattern: str) -> set[int]:
    if not text.strip():
        return set()
    whole = re.compile(pattern, re.IGNORECASE)
    return {act.pk for act in _containing(acts, text) if any(map(whole.search, _words_of(act)))}


def _containing(acts: "QuerySet[Act]", text: str) -> Iterable[Act]:
    """Yield the acts that contain the text anywhere, so that few are read."""
    anywhere = Q()
    for word in {text, json.dumps(text)[1:-1]}:
        for column in ("thing", "reason", "before_text", "after_text"):
            anywhere |= Q(**{f"{column}__icontains": word})
    texts = {f"{name}_text": Cast(name, TextField()) for name in ("before", "after")}
    return acts.annotate(**texts).filter(anywhere).iterator()


def _words_of(act: Act) -> list[str]:
    return [act.thing, act.reason, *texts_in(act.before), *texts_in(act.after)]
