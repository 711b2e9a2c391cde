"""Recognise the system that exported a table by its columns, and the meaning of each column. Pure.

Canvas, Moodle, Blackboard, Brightspace and Gradescope, as they write lists of people and grades.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from webapp.teaching.courses.roster.headers import FIRST_BESIDE, LIKELY, SURNAME_BESIDE, plain
from webapp.teaching.courses.roster.names import as_spoken
from webapp.teaching.courses.roster.reading import RosterLine, RosterTable

Columns = Mapping[str, str]
"""Header by field."""

_WITHDRAWN: Final = frozenset(
    plain(word)
    for words in (
        "w, wd, wn, withdrawn, withdrew, withdraw, dropped, drop, deregistered, unenrolled",
        "inactive, not current, suspended, removed, deleted, cancelled, canceled, left",
        "abgemeldet, ausgetreten, exmatrikuliert, gestrichen, désinscrit, désinscrite, retiré",
        "retirée, abandon, dado de baja, baja, retirado, retirada",
    )
    for word in words.split(", ")
)
"""Statuses of people who are in a registrar's list, and not in the course any more."""
_SEVERAL: Final = re.compile("[;,]")
_CONJUNCTION: Final = re.compile(r"(?:^|\s)(?:and|und|et|y|&)\s", re.IGNORECASE)

FIELDS: Final = {
    "name": "Full name",
    "first": "First name",
    "last": "Last name",
    "email": "E-mail address",
    "login": "User name",
    "number": "Student number",
    "section": "Section",
    "role": "Role",
    "state": "Enrolment status",
}
"""Fields that a column can hold, with their names on the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A system's export."""

    name: str
    marks: tuple[tuple[str, ...], ...]
    """Columns by which each of its exports is known, as ``plain`` writes them: lists of other
    systems do not have all of them."""
    columns: Mapping[str, tuple[str, ...]]
    """By field the columns that may hold it, as ``plain`` writes them, the best first."""
    is_person: Callable[[Columns, Mapping[str, str]], bool] = lambda _, __: True
    """Tells people from rows that some systems add of their own."""


def _no_row_of_canvas(columns: Columns, cells: Mapping[str, str]) -> bool:
    """Canvas writes below its header which grades are posted by hand, and the points possible; at
    the end a student for tests."""
    name, *ids = (cells.get(columns.get(field, ""), "") for field in ("name", "login", "number"))
    if not name and not any(ids):
        return False
    return name not in {"Points Possible", "Student, Test", "Test Student"}


FORMATS: Final = (
    Format(
        name="Canvas",
        marks=(("student", "sis login id", "section"),),
        columns={
            "name": ("student",),
            "login": ("sis login id",),
            "number": ("sis user id", "id"),
            "section": ("section",),
        },
        is_person=_no_row_of_canvas,
    ),
    Format(
        name="Gradescope",
        marks=(("sid", "email", "sections"), ("sid", "email", "total score")),
        columns={
            "name": ("name",),
            "first": ("first name",),
            "last": ("last name",),
            "email": ("email",),
            "number": ("sid",),
            "section": ("sections", "section"),
            "role": ("role",),
        },
    ),
    Format(
        name="Brightspace",
        marks=(("orgdefinedid",),),
        columns={
            "login": ("username",),
            "number": ("orgdefinedid",),
            "first": ("first name",),
            "last": ("last name",),
            "email": ("email", "email address"),
            "section": ("sections", "section"),
        },
    ),
    Format(
        name="Blackboard",
        marks=(
            ("last name", "first name", "username", "student id", "last access"),
            ("last name", "first name", "username", "student id", "availability"),
        ),
        columns={
            "first": ("first name",),
            "last": ("last name",),
            "login": ("username",),
            "number": ("student id",),
            "email": ("email",),
        },
    ),
    Format(
        name="Moodle",
        marks=(
            ("identifier", "full name", "email address"),
            ("institution", "department", "email address"),
            ("email address", "last downloaded from this course"),
            ("email address", "roles"),
        ),
        columns={
            "name": ("full name",),
            "first": ("first name",),
            "last": ("last name", "surname"),
            "email": ("email address",),
            "login": ("username",),
            "number": ("id number",),
            "section": ("group", "groups"),
            "role": ("roles",),
        },
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterEntry:
    """The values of a line of a file; empty if the file has none."""

    line: int
    name: str
    email: str
    number: str
    section: str
    """The first one."""
    role: str
    more_sections: tuple[str, ...] = ()
    is_withdrawn: bool = False

    @property
    def sections(self) -> tuple[str, ...]:
        """All sections."""
        return (self.section, *self.more_sections) if self.section else ()

    @property
    def section_words(self) -> str:
        """The names of all sections."""
        return ", ".join(self.sections)


def recognise(table: RosterTable) -> Format | None:
    """Return the system that wrote the table; ``None`` if no system has such columns."""
    header = {plain(name) for name in table.header}
    return next((each for each in FORMATS if any(map(header.issuperset, each.marks))), None)


def guess(table: RosterTable, known: Format | None) -> dict[str, str]:
    """Return the header by field: as the system has it, or by likely names of several languages."""
    headers = {plain(name): name for name in reversed(table.header)}
    columns = {}
    for field in FIELDS if known is None else ("name", "state", *known.columns):
        names = (*(known.columns.get(field, ()) if known is not None else ()), *LIKELY[field])
        if found := next((headers[name] for name in names if name in headers), ""):
            columns[field] = found
    return _parted(columns)


def _parted(columns: dict[str, str]) -> dict[str, str]:
    """Keep one column for the full name, or two for its parts."""
    name, first, last = (plain(columns.get(field, "")) for field in ("name", "first", "last"))
    if first in SURNAME_BESIDE.get(name, ()):
        columns["last"] = columns["name"]
    elif last in FIRST_BESIDE.get(name, ()):
        columns["first"] = columns["name"]
    if "first" in columns and "last" in columns:
        columns.pop("name", None)
    return columns


def entries(
    table: RosterTable,
    columns: Columns,
    known: Format | None,
    domain: str,
    *,
    sections: Collection[str] = (),
) -> list[RosterEntry]:
    """Return the people of a table by these columns.

    ``domain`` makes an address of a user name where there is none: ``ada`` at ``uni.example``.
    ``sections``: names in the course, which may look like several.
    """
    column = columns.get("section", "")
    known_sections = {*sections, *_alone(table, column)}
    is_person = known.is_person if known is not None else (lambda _, __: True)
    made = []
    for line in table.lines:
        cells = dict(zip(table.header, line.cells, strict=True))
        if is_person(columns, cells):
            made.append(_entry(line, cells, columns, domain, known_sections))
    return made


def _alone(table: RosterTable, column: str) -> set[str]:
    """Return the sections that stand alone in a line of the file, and look like a single one."""
    if column not in table.header:
        return set()
    place = table.header.index(column)
    cells = {line.cells[place] for line in table.lines}
    return {cell for cell in cells if not (_SEVERAL.search(cell) or _CONJUNCTION.search(cell))}


def _entry(
    line: RosterLine,
    cells: Mapping[str, str],
    columns: Columns,
    domain: str,
    sections: Collection[str],
) -> RosterEntry:
    value = {field: cells.get(columns.get(field, ""), "") for field in FIELDS}
    names = sections_in(value["section"], sections)
    return RosterEntry(
        line=line.number,
        name=f"{value['first']} {value['last']}".strip() or as_spoken(value["name"]),
        email=_email(value["email"], value["login"], domain),
        number=value["number"].removeprefix("#"),  # Brightspace marks its ids with one
        section=names[0] if names else "",
        more_sections=names[1:],
        is_withdrawn=plain(value["state"]) in _WITHDRAWN,
        role=value["role"].lower(),
    )


def _email(email: str, login: str, domain: str) -> str:
    login = login.removeprefix("#")
    if email or not login:
        return email.lower()
    if "@" in login:
        return login.lower()
    domain = domain.strip().lstrip("@")
    return f"{login}@{domain}".lower() if domain else ""


def sections_in(cell: str, known: Collection[str]) -> tuple[str, ...]:
    """Return the sections in a cell: ``Monday; Lab``, or ``Monday and Lab`` of Canvas.

    A conjunction separates only known sections: it is more often a part of a name. A known name
    may have a comma.
    """
    names: list[str] = []
    while cell:
        ends = [*(found.start() for found in _SEVERAL.finditer(cell)), len(cell)]
        end = next((end for end in reversed(ends) if cell[:end].strip() in known), ends[0])
        names += _joined(cell[:end].strip(), known, is_first=not names)
        cell = cell[end + 1 :]
    return tuple(dict.fromkeys(name for name in names if name))


def _joined(name: str, known: Collection[str], *, is_first: bool) -> list[str]:
    """Return the known sections that conjunctions join; the name itself if they join none.

    Canvas writes the last of three sections after a comma and a conjunction.
    """
    if name in known:
        return [name]
    parts = [part for part in _CONJUNCTION.split(name) if part]
    if all(part in known for part in parts):
        return parts
    found = None if is_first else _CONJUNCTION.match(name)
    return [name[found.end() :] if found else name]
