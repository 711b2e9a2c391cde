"""Recognise the system that exported a table by its columns, and the meaning of each column. Pure.

Canvas, Moodle, Blackboard, Brightspace and Gradescope, as they write lists of people and grades.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from webapp.courses.roster.headers import FIRST_BESIDE, LIKELY, SURNAME_BESIDE, plain
from webapp.courses.roster.reading import Line, Table

__all__ = ["FIELDS", "Columns", "Entry", "Format", "entries", "guess", "recognise"]

Columns = Mapping[str, str]
"""Header by field."""

FIELDS: Final = {
    "name": "Full name",
    "first": "First name",
    "last": "Last name",
    "email": "E-mail address",
    "login": "User name",
    "number": "Student number",
    "section": "Section",
    "role": "Role",
}
"""Fields that a column can hold, with their names on the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A system's export."""

    name: str
    marks: tuple[str, ...]
    """Columns that all its exports have and others have not, as ``plain`` writes them."""
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
        marks=("student", "sis login id", "section"),
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
        marks=("sid", "email"),
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
        marks=("orgdefinedid",),
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
        marks=("last name", "first name", "username", "student id"),
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
        marks=("email address",),
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
class Entry:
    """The values of a line of a file; empty if the file has none."""

    line: int
    name: str
    email: str
    number: str
    section: str
    role: str


def recognise(table: Table) -> Format | None:
    """Return the system that wrote the table; ``None`` if no system has such columns."""
    header = {plain(name) for name in table.header}
    return next((known for known in FORMATS if header.issuperset(known.marks)), None)


def guess(table: Table, known: Format | None) -> dict[str, str]:
    """Return the header by field: as the system has it, or by likely names of several languages."""
    headers = {plain(name): name for name in reversed(table.header)}
    columns = {}
    for field in FIELDS if known is None else ("name", *known.columns):
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
    table: Table,
    columns: Columns,
    known: Format | None,
    domain: str,
    *,
    sections: Collection[str] = (),
) -> list[Entry]:
    """Return the people of a table by these columns.

    ``domain`` makes an address of a user name where there is none: ``ada`` at ``uni.example``.
    ``sections``: names in the course, which may look like several.
    """
    is_person = known.is_person if known is not None else (lambda _, __: True)
    made = []
    for line in table.lines:
        cells = dict(zip(table.header, line.cells, strict=True))
        if is_person(columns, cells):
            made.append(_entry(line, cells, columns, domain, sections))
    return made


def _entry(
    line: Line,
    cells: Mapping[str, str],
    columns: Columns,
    domain: str,
    sections: Collection[str],
) -> Entry:
    value = {field: cells.get(columns.get(field, ""), "") for field in FIELDS}
    section = value["section"]
    return Entry(
        line=line.number,
        name=_name(value["name"], value["first"], value["last"]),
        email=_email(value["email"], value["login"], domain),
        number=value["number"].removeprefix("#"),  # Brightspace marks its ids with one
        section=section if section in sections else _first(section),
        role=value["role"].lower(),
    )


def _name(name: str, first: str, last: str) -> str:
    """Return the name as it is spoken; ``Lovelace, Ada`` is turned round."""
    if first or last:
        return f"{first} {last}".strip()
    behind, comma, before = name.partition(",")
    return f"{before.strip()} {behind.strip()}" if comma and before.strip() else name


def _email(email: str, login: str, domain: str) -> str:
    login = login.removeprefix("#")
    if email or not login:
        return email.lower()
    if "@" in login:
        return login.lower()
    domain = domain.strip().lstrip("@")
    return f"{login}@{domain}".lower() if domain else ""


def _first(sections: str) -> str:
    """Return the first of several sections."""
    return re.split(r"[;,]| and ", sections, maxsplit=1)[0].strip()
