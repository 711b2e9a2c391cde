"""Find the acts whose words name a person: as whole words in values, never in the values' names."""

import json
import re
from collections.abc import Iterable, Iterator

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from webapp.auditlog.models import Act


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
    return [act.thing, act.reason, *_texts(act.before), *_texts(act.after)]


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)
