"""Join the lines of a file that are about one person. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from webapp.teaching.courses.roster.formats import RosterEntry


def one_for_each_person(entries: Sequence[RosterEntry]) -> list[RosterEntry]:
    """Join the lines of a person that differ in sections alone: registrars write one for each.

    A line that says withdrawn is about its section, if another line of the person does not.
    """
    people: dict[str, list[RosterEntry]] = {}
    for entry in entries:
        people.setdefault(entry.email or entry.number or f"line {entry.line}", []).append(entry)
    joined = []
    for lines in people.values():
        current = [line for line in lines if not line.is_withdrawn] or lines[:1]
        joined += [_joined(current)] if _are_one(current) else current
    return sorted(joined, key=lambda entry: entry.line)


def _are_one(lines: Sequence[RosterEntry]) -> bool:
    """Return whether these lines contradict one another in nothing, and all have sections."""
    values = [{getattr(line, name) for line in lines} for name in ("name", "number", "role")]
    return all(line.section for line in lines) and all(len(some) == 1 for some in values)


def _joined(lines: Sequence[RosterEntry]) -> RosterEntry:
    first, *more = dict.fromkeys(name for line in lines for name in line.sections)
    return replace(lines[0], section=first, more_sections=tuple(more))
