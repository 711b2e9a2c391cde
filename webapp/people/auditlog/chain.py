"""The hash chain over the log, which reveals changes that bypassed the triggers.

Acts are linked a little after they were written, so that no writer waits for another. A person who
may change the database can also compute a new chain: ``check`` compares it with an end that was
kept elsewhere.

Erased words leave their digest in the chain, and an act that says whose words were erased. Acts
from before words could be erased have an ``earlier_digest`` besides.
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import IntegrityError, transaction

from webapp.people.auditlog.digests import (
    digest_of,
    earlier_digest_of,
    first_digest,
    words_digest_of,
)
from webapp.people.auditlog.models import Act, Link

logger = logging.getLogger(__name__)

_START: Final = "0" * 64
_AT_ONCE: Final = 2000
_LATE: Final = 10_000
"""The latest acts, among which some may be committed after a later one was linked."""
_GRACE: Final = timedelta(minutes=15)
"""An act that is older than this and in no link was not written by the services."""


@dataclass(frozen=True, slots=True)
class End:
    """A place in the chain and the digest there, which reveals a forged chain before it."""

    position: int
    digest: str

    def __str__(self) -> str:
        return f"{self.position}:{self.digest}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainCheck:
    end: End
    problems: tuple[str, ...]


def link_new_acts() -> int:
    """Link up to 2,000 acts that are in no link yet; return how many this call linked."""
    try:
        with transaction.atomic():
            n_linked, end = _link()
    except IntegrityError:
        return 0
    if n_linked:
        logger.info("the audit log's chain ends at %s", end)
    return n_linked


def _link() -> tuple[int, End]:
    last = Link.objects.order_by("-position").first()
    end = _beginning() if last is None else End(last.position, last.digest)
    unlinked = Act.objects.filter(link__isnull=True).order_by("pk")
    if last is not None:
        unlinked = unlinked.filter(pk__gt=last.act_id - _LATE)
    links = []
    for row in unlinked[:_AT_ONCE]:
        end = End(end.position + 1, digest_of(row, end.digest))
        links.append(Link(position=end.position, act=row, digest=end.digest))
    Link.objects.bulk_create(links)
    return len(links), end


def check(*, at: datetime, kept: End | None = None) -> ChainCheck:
    """Compute the chain again and compare: every act, and an end that was kept elsewhere."""
    problems: list[str] = []
    end, earlier, erased = _beginning(), _START, _erased()
    for link in Link.objects.select_related("act").order_by("position").iterator(_AT_ONCE):
        problems += _link_problems(link, end, earlier, erased)
        end, earlier = End(link.position, link.digest), link.earlier_digest
        if kept is not None and kept.position == end.position:
            problems += _kept_problems(kept, link)
    if kept is not None and kept.position > end.position:
        problems.append(f"the chain ends at {end.position}, and had {kept.position} places once")
    loose = Act.objects.filter(link__isnull=True, at__lt=at - _GRACE)
    problems += [f"act {pk} is in no link" for pk in loose.values_list("pk", flat=True)[:100]]
    return ChainCheck(end=end, problems=tuple(problems))


def _beginning() -> End:
    """Return the place before the first, which binds the chain's first version if there was one."""
    last = Link.objects.exclude(earlier_digest="").order_by("-position").first()
    return End(0, _START if last is None else first_digest(last.earlier_digest))


def _erased() -> set[int]:
    lists = Act.objects.exclude(erases=[]).values_list("erases", flat=True)
    return {pk for erased in lists for pk in erased}


def _link_problems(link: Link, end: End, earlier: str, erased: set[int]) -> list[str]:
    problems = []
    act, was_changed = link.act, link.digest != digest_of(link.act, end.digest)
    if link.position != end.position + 1:
        problems.append(f"links {end.position + 1} to {link.position - 1} are missing")
    if act.is_erased:
        if act.pk not in erased:
            problems.append(f"the text of act {act.pk} was erased, and no act records that")
    else:
        was_changed |= act.words_digest != words_digest_of(act)
        if link.earlier_digest:
            was_changed |= link.earlier_digest != earlier_digest_of(act, earlier)
    if was_changed:
        problems.append(f"act {act.pk}, at place {link.position}, was changed")
    return problems


def _kept_problems(kept: End, link: Link) -> list[str]:
    if kept.digest in {link.digest, link.earlier_digest}:
        return []
    return [f"the chain was forged before its place {kept.position}"]
