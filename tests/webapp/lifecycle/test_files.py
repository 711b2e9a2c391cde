"""A course goes into a file and comes out of it, here or elsewhere; hostile files are refused."""

import json
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import pytest
from django.utils import timezone

from grader.core.errors import RecordError
from grader.results.course_check import check_course
from grader.uploads.course_file import CourseFile, FileLimits
from tests.support.course_files import changed, packed, row_changed, unpacked
from tests.support.pages import signed_in, text_of
from tests.support.world import World
from tests.support.zips import zipped
from webapp.base.errors import NotAllowed, Refused
from webapp.flow.lifecycle import exporting
from webapp.flow.lifecycle.exporting import write_course
from webapp.flow.lifecycle.receiving import words_of
from webapp.flow.lifecycle.rows import encoded, encoded_rows
from webapp.flow.lifecycle.services.importing import import_course
from webapp.flow.lifecycle.tables import LEFT_OUT, ArchiveTable, course_tables
from webapp.grading.evaluations.models import Evaluation, GameResult
from webapp.grading.evaluations.reproducing import export_json
from webapp.grading.gradebook.models import Grade
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.identities import confirm_address
from webapp.people.accounts.models import User
from webapp.teaching.courses.deadlines import DeadlineRule
from webapp.teaching.courses.models import Course, Enrolment, Role, Team
from webapp.teaching.courses.services import create_course

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


def test_a_file_has_everything_and_its_grades_can_be_derived(file: BytesIO) -> None:
    report = check_course(CourseFile(file))
    assert (report.findings, report.grades, report.games, report.without_games) == ((), 2, 12, 0)
    names = zipfile.ZipFile(file).namelist()
    assert {f"rows/{table.label}.jsonl" for table in course_tables()} - {
        f"rows/{label}.jsonl" for label in LEFT_OUT
    } <= set(names)


def test_no_password_leaves_the_site(file: BytesIO, over: World) -> None:
    whole = b"".join(unpacked(file).values())
    assert over.ada.password.encode() not in whole
    assert over.ada.email.encode() in whole


def test_only_archived_courses_are_written(over: World) -> None:
    Course.objects.update(archived_at=None)
    with pytest.raises(Refused, match="Archive the course first"):
        write_course(Course.objects.get(), BytesIO(), at=over.course.archived_at)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        lambda: GameResult.objects.all().delete(),
        lambda: Submission.objects.update(sources_removed_at=timezone.now()),
        lambda: Course.objects.update(archived_at=None),
    ],
    ids=["its games are removed", "its programs are removed", "it is reopened"],
)
def test_a_course_that_changes_meanwhile_is_not_written(
    change: Callable[[], object], over: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its file would lack what its rows name: no site would take it in again."""

    def rows_before_and_after(table: ArchiveTable, rows: Any) -> Iterator[dict[str, Any]]:
        yield from encoded_rows(table, rows)
        if table.model is Submission:
            change()

    monkeypatch.setattr(exporting, "encoded_rows", rows_before_and_after)
    with pytest.raises(Refused, match="changed while its file was written"):
        write_course(over.course, BytesIO(), at=timezone.now())


def test_a_course_is_imported_beside_the_original(file: BytesIO, over: World) -> None:
    imported = import_course(file=file, by=over.ida, slug="again")
    copy = imported.course
    assert (imported.joined, imported.created, imported.report.grades) == (4, 0, 2)
    assert copy.archived_at == over.course.archived_at
    assert shape(copy) == shape(over.course)
    for evaluation in Evaluation.objects.filter(assignment__course=copy, kind="graded"):
        assert '"points"' in export_json(evaluation)
    uuids = Evaluation.objects.values_list("uuid", flat=True)
    assert len(set(uuids)) == len(uuids)


def test_an_assignment_in_a_file_of_an_earlier_version_keeps_the_rules_for_lateness(
    file: BytesIO, over: World
) -> None:
    rows = [json.loads(line) for line in unpacked(file)[ASSIGNMENTS].splitlines()]
    for row in rows:
        del row["has_plain_days"], row["max_penalty_percent"]
        row["counts"] = "best"
    earlier = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    imported = import_course(
        file=changed(file, **{ASSIGNMENTS: earlier}), by=over.ida, slug="again"
    )
    [assignment] = imported.course.assignments.all()
    assert assignment.has_plain_days
    assert (assignment.counts, assignment.max_penalty_percent) == (DeadlineRule.BEST_MEAN, 100)


def shape(course: Course) -> list[object]:
    """The content of a course, without keys."""
    grades = Grade.objects.filter(team__assignment__course=course).order_by("pk")
    return [
        [table.rows_of(course).count() for table in course_tables()],
        list(grades.values_list("team__name", "points", "mean", "is_current", "graded_at")),
        list(course.enrolments.order_by("pk").values_list("user__email", "role", "joined_at")),
        [bytes(row) for row in course.assignments.values_list("secret", flat=True)],
    ]


def test_people_of_a_course_imported_elsewhere_get_accounts_without_a_password(
    file: BytesIO, over: World
) -> None:
    operator = as_elsewhere()
    imported = import_course(file=file, by=operator, slug="coop")
    assert (imported.joined, imported.created) == (0, 4)
    ada = User.objects.get(email=over.ada.email)
    assert not ada.has_usable_password()
    assert Submission.objects.filter(team__memberships__user=ada).count() == 1
    assert imported.course.enrolments.get(user=operator).role == Role.INSTRUCTOR


def as_elsewhere() -> User:
    """Another site: nothing of the course is there, nor anybody of it."""
    for user in User.objects.all():
        User.objects.filter(pk=user.pk).update(email=f"was-{user.email}")
    Course.objects.update(slug="was")
    return User.objects.create_superuser("op@example.org", display_name="Opal")


def test_an_account_with_an_unconfirmed_address_sees_nothing_of_it(
    file: BytesIO, over: World
) -> None:
    confirm_address(over.ben)
    imported = import_course(file=file, by=over.ida, slug="again")
    client = signed_in(over.ada)
    for name in ("download/", "download.zip"):
        answer = client.get(f"/accounts/profile/{name}", follow=True)
        assert "Confirm first that ada@" in text_of(answer)
    states = dict(imported.course.enrolments.values_list("user__display_name", "state"))
    assert imported.withdrawn == 1
    assert states == {
        "Ada Lovelace": "withdrawn",
        "Ben Okri": "active",
        "Cleo Vance": "active",
        "Ida Rhodes": "active",
    }


def test_nothing_is_written_of_a_refused_file(file: BytesIO, over: World) -> None:
    rows = {table.label: table.model._base_manager.count() for table in course_tables()}
    broken = changed(file, **{"rows/submissions.choice.jsonl": b'{"pk":1,"team":99}\n'})
    with pytest.raises(Refused, match="team 99 is not in the file"):
        import_course(file=broken, by=over.ida, slug="again")
    assert rows == {table.label: table.model._base_manager.count() for table in course_tables()}


def test_only_people_who_may_create_courses_import_one(file: BytesIO, over: World) -> None:
    with pytest.raises(NotAllowed):
        import_course(file=file, by=over.ada, slug="again")
    with pytest.raises(Refused, match="short name"):
        import_course(file=file, by=over.ida, slug="coop")


# --- Hostile files ------------------------------------------------------------------------------


GRADES = "rows/gradebook.grade.jsonl"
COURSE = "rows/courses.course.jsonl"
EVALUATIONS = "rows/evaluations.evaluation.jsonl"
ENROLMENTS = "rows/courses.enrolment.jsonl"
ASSIGNMENTS = "rows/courses.assignment.jsonl"
MALFORMED = encoded(b"firebox blocks v1, and no list")

HOSTILE: dict[str, tuple[Callable[[BytesIO], BytesIO], str]] = {
    "no zip": (lambda _: BytesIO(b"PK?"), "not a readable zip"),
    "cut off": (lambda file: BytesIO(file.getvalue()[:-400]), "not a readable zip"),
    "a part is lost": (
        lambda file: BytesIO(file.getvalue()[:100] + file.getvalue()[200:]),
        "is damaged: negative seek",
    ),
    "zip-slip": (lambda file: changed(file, **{"../../etc/passwd": b"x"}), "no course file has"),
    "an absolute path": (lambda file: changed(file, **{"/etc/passwd": b"x"}), "no course file has"),
    "a stray artefact": (lambda file: changed(file, **{"artefacts/x": b"x"}), "no course file has"),
    "another version": (lambda file: packed(unpacked(file), manifest={"v": 2}), "of version 2"),
    "another format": (
        lambda file: packed(unpacked(file), manifest={"format": "moodle"}),
        "not a firebox-course",
    ),
    "no manifest": (lambda _: BytesIO(zipped(("people.jsonl", b""))), "no manifest"),
    "a file too many": (lambda file: packed(unpacked(file), manifest={"files": []}), "not in its"),
    "a forged grade": (lambda file: row_changed(file, GRADES, full_points="99.00"), "its grade"),
    "points beyond its scheme": (
        lambda file: row_changed(file, GRADES, points="99.00"),
        r"less 0[.]00% are \S+, its grade says 99[.]00",
    ),
    "points that no game gave": (
        lambda file: row_changed(without_games(file), GRADES, points="99.00"),
        "its grade says 99[.]00",
    ),
    "a forged mean": (lambda file: row_changed(file, GRADES, mean=1.5), "its grade says 1.5"),
    "an unknown table": (
        lambda file: changed(file, **{"rows/courses.secret.jsonl": b""}),
        "knows nothing",
    ),
    "an unknown column": (lambda file: row_changed(file, COURSE, owner=1), "has no 'owner'"),
    "a wrong type": (lambda file: row_changed(file, COURSE, places="many"), "places cannot be"),
    "a long text": (lambda file: row_changed(file, COURSE, title="x" * 200), "longer than"),
    "an unknown choice": (lambda file: row_changed(file, ENROLMENTS, role="god"), "'god'"),
    "no row": (lambda file: changed(file, **{COURSE: b"[]\n"}), "is no row"),
    "two courses": (
        lambda file: changed(file, **{COURSE: unpacked(file)[COURSE] * 2}),
        "more than one|key",
    ),
    "no course": (lambda file: changed(file, **{COURSE: b""}), "course"),
    "a stranger": (lambda file: row_changed(file, ENROLMENTS, user=10**6), "is not in the file"),
    "a bad address": (
        lambda file: row_changed(file, "people.jsonl", email="nobody"),
        "not an e-mail address",
    ),
    "a null byte": (lambda file: row_changed(file, COURSE, title="a\0b"), "not a text that can"),
    "a wrong time": (lambda file: row_changed(file, COURSE, created_at="soon"), "created_at"),
    "an absurd date": (
        lambda file: row_changed(file, "rows/courses.team.jsonl", extended_due_at="9999-01-01T00Z"),
        "extended_due_at .*: Choose a date from 2000 to 2099[.]$",
    ),
    "a short secret": (
        lambda file: row_changed(file, ASSIGNMENTS, practice_secret="AAAA"),
        "practice_secret cannot be read: an evaluation secret has at least 16 bytes",
    ),
    "a malformed secret": (
        lambda file: row_changed(file, ASSIGNMENTS, practice_secret=MALFORMED),
        "practice_secret cannot be read: a secret of blocks",
    ),
    "it plays": (
        lambda file: row_changed(file, EVALUATIONS, status="queued", is_current=False),
        "still being played",
    ),
}


def without_games(file: BytesIO) -> BytesIO:
    return changed(file, **{"rows/evaluations.gameresult.jsonl": b""})


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_with_words(name: str, file: BytesIO, over: World) -> None:
    forge, words = HOSTILE[name]
    with pytest.raises(Refused, match=words) as refusal:
        import_course(file=forge(file), by=over.ida, slug="again")
    assert str(refusal.value).startswith("This file cannot be imported: ")
    assert Course.objects.count() == 1


def test_a_changed_file_of_the_export_is_found(file: BytesIO) -> None:
    files = unpacked(file)
    manifest = json.loads(files["manifest.json"])
    people = files["people.jsonl"].replace(b"Ada", b"Eve")
    forged = packed({**files, "people.jsonl": people}, manifest={"files": manifest["files"]})
    with pytest.raises(RecordError, match=r"people\.jsonl was changed"):
        check_course(CourseFile(forged))


def test_sizes_are_bounded_before_anything_is_unpacked(file: BytesIO) -> None:
    bomb = changed(file, **{"audit-log.jsonl": b"0" * (1 << 22)})
    with pytest.raises(RecordError, match="unpacked it has"):
        CourseFile(bomb, FileLimits(unpacked_bytes=1 << 20))
    with pytest.raises(RecordError, match="bytes; at most"):
        CourseFile(bomb, FileLimits(packed_bytes=100))
    with pytest.raises(RecordError, match="entries; at most"):
        CourseFile(bomb, FileLimits(entries=3))
    with pytest.raises(RecordError, match="rows; at most 3"):
        CourseFile(bomb, FileLimits(rows=3))
    listed = json.loads(unpacked(file)["manifest.json"])["files"]
    (people,) = [{**entry, "rows": 1} for entry in listed if entry["name"] == "people.jsonl"]
    others = [entry for entry in listed if entry["name"] != "people.jsonl"]
    few = packed(unpacked(file), manifest={"files": [people, *others]})
    rows = CourseFile(few).rows("people.jsonl")
    assert [next(rows)["id"], next(rows)["id"]]
    with pytest.raises(RecordError, match="does not have the 1 rows it lists"):
        next(rows)


def test_every_table_of_a_course_is_known_here() -> None:
    """Another one is exported, imported and deleted by itself: may it leave the site?."""
    labels = {table.label for table in course_tables()}
    assert {"courses.course", "evaluations.gameresult", "gradebook.grade"} < labels
    assert not {label for label in labels if "token" in label or "provider" in label}


def test_deleted_games_are_reported_as_missing(over: World) -> None:
    GameResult.objects.filter(evaluation__submission__team__in=Team.objects.all()).delete()
    file = BytesIO()
    write_course(over.course, file, at=over.course.archived_at)  # type: ignore[arg-type]
    report = check_course(CourseFile(file))
    assert (report.grades, report.without_games, report.ok) == (0, 2, True)
    words = words_of(import_course(file=file, by=over.ida, slug="again"))
    assert "2 grades could not be derived again, because their games were removed" in words


def test_an_empty_course_is_imported_too(over: World) -> None:
    bare = create_course(by=over.ida, title="Bare", slug="bare")
    Course.objects.filter(pk=bare.pk).update(archived_at=over.course.archived_at)
    file = BytesIO()
    write_course(Course.objects.get(pk=bare.pk), file, at=over.course.archived_at)  # type: ignore[arg-type]
    imported = import_course(file=file, by=over.ida, slug="bare-2")
    assert Enrolment.objects.filter(course=imported.course).count() == 1
