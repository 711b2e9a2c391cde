"""What a course file claims is read as what this site could have made, or refused with words."""

import time
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from django.db import models
from django.utils import timezone

from tests.support.course_files import exported, rows_changed, rows_of
from tests.support.every_address import EveryThing
from webapp.base.errors import Refused
from webapp.flow.lifecycle.rows import JSON, TEXTS
from webapp.flow.lifecycle.services.archiving import unarchive_course
from webapp.flow.lifecycle.services.importing import import_course
from webapp.flow.lifecycle.tables import course_tables
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.evaluations.services.insights import compute_missing_insights
from webapp.grading.submissions.models import KeptUpload
from webapp.teaching.courses.models import Assignment, Course

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

ASSIGNMENTS = "rows/courses.assignment.jsonl"
EVALUATIONS = "rows/evaluations.evaluation.jsonl"
GAMES = "rows/evaluations.gameresult.jsonl"
GRADES = "rows/gradebook.grade.jsonl"
HUMAN = "rows/playing.humangame.jsonl"
MEMBERSHIPS = "rows/courses.membership.jsonl"
SUBMISSIONS = "rows/submissions.submission.jsonl"
TOURNAMENTS = "rows/tournaments.tournament.jsonl"

Row = dict[str, Any]


@pytest.fixture
def file(things: EveryThing) -> BytesIO:
    return exported(things.world.course)


def test_every_json_column_of_a_course_has_a_type() -> None:
    columns = [
        (f"{table.label}.{column.name}", column)
        for table in course_tables()
        if table.is_exported
        for column in table.columns
    ]
    assert {name for name, column in columns if isinstance(column, models.JSONField)} == set(JSON)
    assert {name for name, _ in columns if name.endswith("_json")} == set(TEXTS)


def with_spec(**values: Any) -> Callable[[Row], Row]:
    return lambda row: {**row, "spec": {**row["spec"], **values}}


LONG = {"options": {f"o{number}": "x" * 60 for number in range(1000)}}
GREEDY = {"turn_seconds": 60.0, "turn_wall_seconds": 180.0, "memory_mib": 4096}

FORGED: dict[str, tuple[str, Callable[[Row], Row], str]] = {
    "a billion games": (EVALUATIONS, with_spec(n_games=10**9), r"1,000,000,000 games"),
    "JSON of 64 KiB": (ASSIGNMENTS, lambda row: {**row, **LONG}, r"options .* at most 65,536"),
    "a million first tests": (
        ASSIGNMENTS,
        lambda row: {**row, "smoke_games": 10**6},
        "1000000 games: this site plays at most",
    ),
    "greedy agents": (
        ASSIGNMENTS,
        lambda row: {**row, "limits": {**row["limits"], **GREEDY}},
        "limits: 60 turn seconds: this site allows",
    ),
    "a penalty that is no number": (
        ASSIGNMENTS,
        lambda row: {**row, "max_penalty_percent": "NaN"},
        "max_penalty_percent cannot be read: it is not a number",
    ),
    "another commitment": (
        ASSIGNMENTS,
        lambda row: {**row, "commitment": "0" * 64},
        "commitment is not that of its secret",
    ),
    "a mean without the number of lost games": (
        EVALUATIONS,
        lambda row: {**row, "lost": None},
        "without the other",
    ),
    "an interval beside its mean": (
        EVALUATIONS,
        lambda row: {**row, "low": 20.0, "high": 25.0, "mean": 3.0},
        "does not have its mean in it",
    ),
    "a spec of another kind": (EVALUATIONS, lambda row: {**row, "spec": {"v": 1}}, "spec cannot"),
    "an unreadable game": (GAMES, lambda row: {**row, "packed": "AAAA"}, "cannot be unpacked"),
    "other scores than the record's": (
        GAMES,
        lambda row: {**row, "scores": [1, 2]},
        "its scores is not that of its record",
    ),
    "a message of another kind": (
        SUBMISSIONS,
        lambda row: {**row, "messages": [{"line": "x"}]},
        "messages cannot be read",
    ),
    "a plan of too many rounds": (TOURNAMENTS, with_spec(rounds=10**8), "at most"),
    "a submission at the table that is not in the file": (
        HUMAN,
        lambda row: {
            **row,
            "seats": [{**seat, "submission": 10**6, "house": ""} for seat in row["seats"]],
        },
        "submission 1000000 at one of its seats is not in the file",
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_value_is_refused_before_it_costs_anything(
    name: str, file: BytesIO, things: EveryThing
) -> None:
    table, forge, words = FORGED[name]
    rows = [forge(row) for row in rows_of(file, table)]
    changed, before = rows_changed(file, **{table: rows}), time.process_time()
    with pytest.raises(Refused, match=words):
        import_course(file=changed, by=things.world.ida, slug="again")
    assert time.process_time() - before < 2.0
    assert Course.objects.count() == 1


def test_a_row_joins_nothing_of_two_assignments(file: BytesIO, things: EveryThing) -> None:
    first = rows_of(file, ASSIGNMENTS)[0]
    second = {**first, "pk": first["pk"] + 1, "slug": "other"}
    memberships = rows_of(file, MEMBERSHIPS)
    memberships[0]["assignment"] = second["pk"]
    changed = rows_changed(file, **{ASSIGNMENTS: [first, second], MEMBERSHIPS: memberships})
    with pytest.raises(Refused, match="refers to rows of more than one assignment"):
        import_course(file=changed, by=things.world.ida, slug="again")


def test_two_rows_with_one_key_are_refused(file: BytesIO, things: EveryThing) -> None:
    rows = rows_of(file, SUBMISSIONS)
    rows[1]["pk"] = rows[0]["pk"]
    with pytest.raises(Refused, match="has the key"):
        import_course(
            file=rows_changed(file, **{SUBMISSIONS: rows}), by=things.world.ida, slug="again"
        )


def test_many_grades_of_one_evaluation_derive_its_figures_once(
    file: BytesIO, things: EveryThing
) -> None:
    """Each of them costs a little; that of all games is paid once."""
    (grade,) = rows_of(file, GRADES)
    others = [
        {**grade, "pk": grade["pk"] + n, "is_current": False, "changed_by": things.world.ida.pk}
        for n in range(1, 1000)
    ]
    changed = rows_changed(file, **{GRADES: [grade, *others]})
    imported = import_course(file=changed, by=things.world.ida, slug="again")
    assert imported.report.grades == 1000


def test_a_course_beyond_the_sites_limits_is_not_reopened(things: EveryThing) -> None:
    world = things.world
    Assignment.objects.filter(pk=world.assignment.pk).update(smoke_games=10**6)
    with pytest.raises(Refused, match=r"cannot be reopened.* 1000000 games: this site plays"):
        unarchive_course(course=world.course, by=world.ida)
    assert Course.objects.get().archived_at is not None


def test_a_file_kept_for_its_owner_alone_is_in_no_course_file(things: EveryThing) -> None:
    world = things.world
    KeptUpload.objects.create(
        user=world.ada, assignment=world.assignment, filename="a.py", data=b"x", at=timezone.now()
    )
    assert b"a.py" not in exported(world.course).getvalue()


def test_a_row_that_cannot_be_read_stops_no_others_statistics(things: EveryThing) -> None:
    """Such as one from before files were parsed."""
    rows = Evaluation.objects.filter(status="finished", mean__isnull=False)
    rows.update(insights=None)
    last, *others = rows.order_by("-finished_at")
    Evaluation.objects.filter(pk=last.pk).update(spec={"v": 99})
    compute_missing_insights()
    assert len(others) > 1
    assert not rows.exclude(pk=last.pk).filter(insights__isnull=True).exists()
