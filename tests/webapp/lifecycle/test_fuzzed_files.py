"""Each column of a valid course file, changed in turn: refused with words, or harmless.

A change that a row alone shows is refused while the file is read. What is left is imported: then
every page opens, the course can be reopened or says why not, and every periodic task goes on.
"""

import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from typing import Any, Final

import pytest
from django.apps import apps
from django.db import transaction

from grader.core.errors import RecordError
from tests.support.course_files import exported, make_over, rows_changed, rows_of
from tests.support.crawling import crawl
from tests.support.depth import deeper
from tests.support.every_address import EveryThing
from tests.support.pages import signed_in
from tests.support.templates import copy_of
from webapp.base.celery import NOTE_RESULTS, PERIODIC, app
from webapp.base.errors import Refused
from webapp.flow import tasks
from webapp.flow.lifecycle.arriving import Keys, arrived, key_of, listed
from webapp.flow.lifecycle.services.archiving import unarchive_course
from webapp.flow.lifecycle.services.importing import import_course
from webapp.flow.lifecycle.tables import ArchiveTable, course_tables
from webapp.people.accounts.identities import confirm_address
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Course

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

Row = dict[str, Any]
ABSENT: Final = object()
VALUES: Final = (
    ABSENT, None, "", "x", "\u202e", "../..", "x" * 5000, "0" * 64, 0, 1, -1, 7, 2**31 - 1, 2**31,
    2**63 - 1, 2**64, 10**400, 0.5, -1e308, True, False, [], [0], [[]], {}, {"a": 1}, {"v": 99},
    "0001-01-01T00:00:00+00:00", "2099-12-31T23:59:59+14:00", "2020-01-01T00:00:00+00:00",
    "1E+400", "NaN", "-5.00", "finished", "failed", "AAAA", "[]", "{}",
)  # fmt: skip
TRIED: Final = deeper(VALUES[::3], deep=VALUES)
GROUPS: Final = deeper(2, deep=40)
"""Files in which a change of every table is imported together, and every page is opened."""
OF_A_TABLE: Final = deeper(1, deep=2)
"""Columns of each table that are changed together in such a file."""
OF_A_KIND: Final = deeper(1, deep=3)


@dataclass(frozen=True, slots=True)
class Change:
    table: ArchiveTable
    column: str
    value: object
    path: tuple[str | int, ...] = ()
    """The place of the value within JSON; empty: all of the column."""

    @property
    def name(self) -> str:
        return f"rows/{self.table.label}.jsonl"

    def of(self, row: Row) -> Row:
        if not self.path:
            others = {name: old for name, old in row.items() if name != self.column}
            return others if self.value is ABSENT else {**others, self.column: self.value}
        return {**row, self.column: _put(row[self.column], self.path, self.value)}


def _put(old: Any, path: tuple[str | int, ...], value: object) -> Any:
    if not path:
        return value
    copy: Any = dict(old) if isinstance(old, dict) else list(old)
    if value is ABSENT and len(path) == 1:
        del copy[path[0]]
    else:
        copy[path[0]] = _put(copy[path[0]], path[1:], value)
    return copy


def places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the places within JSON: of a list, those of its first value."""
    pairs: Any = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        pairs = enumerate(value[:1])
    for key, inner in pairs:
        yield (*path, key)
        yield from places(inner, (*path, key))


def changes_of(table: ArchiveTable, row: Row) -> Iterator[Change]:
    for column, old in row.items():
        for path in ((), *places(old)):
            yield from (Change(table, column, value, path) for value in TRIED)


@dataclass(slots=True)
class Figures:
    counts: Counter[str] = field(default_factory=Counter)
    pages: Counter[int] = field(default_factory=Counter)


@pytest.fixture
def things(db: None) -> EveryThing:
    things = copy_of(make_over)
    for user in (things.world.ada, things.world.ben, things.world.cleo, things.world.ida):
        confirm_address(user)
    return things


@pytest.fixture
def file(things: EveryThing) -> BytesIO:
    return exported(things.world.course)


def survivors(file: BytesIO, figures: Figures) -> dict[str, list[Change]]:
    """Return by table the changes that a row alone does not show."""
    left: dict[str, list[Change]] = {}
    keys = Keys()
    keys.of_model[User] = {row["id"]: -row["id"] for row in rows_of(file, "people.jsonl")}
    for table in course_tables():
        rows = rows_of(file, f"rows/{table.label}.jsonl") if table.is_exported else []
        keys.of_model[table.model] = {}
        figures.counts["columns"] += len(rows[0]) if rows else 0
        for change in changes_of(table, rows[0]) if rows else ():
            figures.counts["changes"] += 1
            try:
                read(table, change.of(rows[0]), keys)
            except RecordError:
                figures.counts["refused as a row"] += 1
            else:
                left.setdefault(table.label, []).append(change)
        for row in rows if not table.has_games else ():
            keys.note(read(table, row, keys), row["pk"])
    return left


def read(table: ArchiveTable, row: Row, keys: Keys) -> Any:
    instance = arrived(table, row, keys, checked=False)
    for relation in table.lists:
        listed(table, relation, row)
    instance.pk = -key_of(table, row)
    return instance


def changed_file(file: BytesIO, changes: list[Change]) -> BytesIO:
    """Return the file with each change in every row of its table, as far as rows have the place."""
    files: dict[str, list[Row]] = {}
    for change in changes:
        rows = files.get(change.name) or rows_of(file, change.name)
        files[change.name] = [_changed(change, row) for row in rows]
    return rows_changed(file, **files)


def _changed(change: Change, row: Row) -> Row:
    try:
        return change.of(row)
    except (LookupError, TypeError):
        return row


def imported(file: BytesIO, changes: list[Change], by: User) -> Course | None:
    """Import the file with these changes; ``None`` if it is refused, and nothing is left of it."""
    before, words = rows_of_the_site(), ""
    try:
        return import_course(file=changed_file(file, changes), by=by, slug="again").course
    except Refused as refusal:
        words = str(refusal)
    assert words.startswith("This file cannot be imported: ")
    assert rows_of_the_site() == before
    return None


def rows_of_the_site() -> dict[str, int]:
    return {model._meta.label: model._base_manager.count() for model in apps.get_models()}


def is_taken(file: BytesIO, changes: list[Change], by: User) -> bool:
    """Return whether the file with these changes is imported; nothing is left of it."""
    with transaction.atomic():
        course = imported(file, changes, by)
        transaction.set_rollback(True)
    return course is not None


def use(course: Course, things: EveryThing, figures: Figures) -> None:
    """Open every page, reopen the course, open them again, and run every periodic task."""
    open_pages(things, figures)
    try:
        unarchive_course(course=course, by=things.world.ida)
    except Refused:
        figures.counts["not reopened"] += 1
    else:
        open_pages(things, figures)
    app.loader.import_default_modules()
    for name in PERIODIC.keys() - {NOTE_RESULTS}:  # which reads the broker's clock, and no row
        app.tasks[name]()


def open_pages(things: EveryThing, figures: Figures) -> None:
    starts = ("/courses/again/", "/courses/again/life/")
    for user in (things.world.ida, things.world.ada):
        client = signed_in(user)
        statuses = crawl(client, starts, of_a_kind=OF_A_KIND, left_out=("/courses/coop/",))
        figures.pages.update(statuses.values())
        figures.pages[client.get("/accounts/profile/download.zip").status_code] += 1


def test_each_change_is_refused_or_harms_nothing(
    things: EveryThing,
    file: BytesIO,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Else a slow machine sends the rest to a broker.
    monkeypatch.setattr(tasks, "PRUNE_SECONDS", 600.0)
    ida, figures = things.world.ida, Figures()
    left = survivors(file, figures)
    for changes in left.values():
        changes.sort(key=lambda change: sha256(repr(change).encode()).digest())
    caplog.set_level(logging.ERROR)
    for number in range(min(GROUPS, max(map(len, left.values())))):
        chosen = [
            each[(number * 37 + part * 101) % len(each)]
            for each in left.values()
            for part in range(OF_A_TABLE)
            if number < len(each)
        ]
        taken: list[Change] = []
        for change in chosen:
            if is_taken(file, [*taken, change], ida):
                taken.append(change)
        figures.counts["refused as a file"] += len(chosen) - len(taken)
        figures.counts["imported"] += len(taken)
        with transaction.atomic():
            course = imported(file, taken, ida)
            if course is not None:
                use(course, things, figures)
            transaction.set_rollback(True)
    assert {status for status in figures.pages if status >= 500} == set()
    assert [record.getMessage() for record in caplog.records] == []
    assert figures.counts["columns"] > 300
    assert figures.counts["imported"] > 10 * min(GROUPS, 2)
    logging.getLogger(__name__).warning("%s, pages: %s", figures.counts, figures.pages)
