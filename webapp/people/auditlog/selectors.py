"""Read the audit log: by course, person, kind and period; on pages and as CSV."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Model, Q, QuerySet

from webapp.base.spreadsheets import Cell, to_csv
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.models import Act

_ROWS_AT_ONCE: Final = 500
_HEADER: Final = (
    *("When", "Who", "Who: e-mail address", "What", "Course", "On whom", "On whom: e-mail address"),
    *("Team", "On what", "Before", "After", "Why"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedActs:
    """The filters of the log. An empty value filters nothing."""

    course: Model | None = None
    words: str = ""
    """A part of the author's name or address, of the affected person's, or of the thing's name."""
    kind: str = ""
    """The stored name of a kind, or the first word of several: ``people``."""
    since: datetime | None = None
    until: datetime | None = None
    """Exclusive."""


def acts(wanted: WantedActs) -> QuerySet[Act]:
    """Return acts, the newest first, with their people, teams and courses."""
    chosen = Act.objects.select_related("by", "course", "person", "team").order_by("-pk")
    if wanted.course is not None:
        chosen = chosen.filter(course=wanted.course.pk)
    if wanted.kind:
        chosen = chosen.filter(Q(kind=wanted.kind) | Q(kind__startswith=f"{wanted.kind}."))
    if wanted.since is not None:
        chosen = chosen.filter(at__gte=wanted.since)
    if wanted.until is not None:
        chosen = chosen.filter(at__lt=wanted.until)
    return chosen.filter(_mentions(wanted.words)) if wanted.words else chosen


def _mentions(words: str) -> Q:
    return (
        Q(by__display_name__icontains=words)
        | Q(by__email__icontains=words)
        | Q(person__display_name__icontains=words)
        | Q(person__email__icontains=words)
        | Q(team__name__icontains=words)
        | Q(thing__icontains=words)
    )


def kind_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return choices for a select: each subject with its kinds, and with all of them at once."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for kind in ActKind:
        subject = kind.name_kept.partition(".")[0]
        about = subject if subject in {"people", "dates"} else f"{subject}s"
        groups.setdefault(subject, [(subject, f"All about {about}")])
        groups[subject].append((kind.name_kept, kind.label))
    return [(subject.capitalize(), choices) for subject, choices in groups.items()]


def acts_csv(wanted: WantedActs) -> Iterator[str]:
    """Yield the acts as CSV, in parts, so that a long log is never held at once."""
    yield to_csv(_HEADER, [])
    rows: list[tuple[Cell, ...]] = []
    for act in acts(wanted).iterator(_ROWS_AT_ONCE):
        rows.append(_cells(act))
        if len(rows) == _ROWS_AT_ONCE:
            yield to_csv(None, rows)
            rows = []
    yield to_csv(None, rows)


def _cells(act: Act) -> tuple[Cell, ...]:
    return (
        act.at,
        act.who,
        act.by.email if act.by else "",
        act.label,
        act.course.slug if act.course else "",
        act.person.display_name if act.person else "",
        act.person.email if act.person else "",
        act.team.name if act.team else "",
        act.thing,
        "; ".join(f"{change.name}: {change.before}" for change in act.changes if act.before),
        "; ".join(f"{change.name}: {change.after}" for change in act.changes if act.after),
        act.reason,
    )
