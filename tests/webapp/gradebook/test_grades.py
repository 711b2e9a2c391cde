"""Grades: only from finished graded evaluations of what counts, with their history."""

import csv
import io
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from pytest_django import DjangoAssertNumQueries

from grader.core.records import FaultKind
from tests.webapp import fakes
from tests.webapp.conftest import NOW
from webapp.flow.pipeline import update_assignment
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.evaluations.services import grade_team
from webapp.grading.gradebook.models import Grade
from webapp.grading.gradebook.points import grade_of
from webapp.grading.gradebook.services import record_grade
from webapp.grading.gradebook.spreadsheets import gradebook_csv
from webapp.grading.gradebook.work import GradeStatus
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Section, Team
from webapp.teaching.courses.services import team_for


def test_a_finished_graded_evaluation_gives_a_grade(team: Team, graded: Evaluation) -> None:
    assert grade_of(team) is None
    fakes.play(graded, lambda _: 17)
    grade = grade_of(team)
    assert grade is not None
    assert (grade.points, grade.mean, grade.evaluation) == (Decimal("102.00"), 17.0, graded)


def test_an_unfinished_evaluation_cannot_give_a_grade(graded: Evaluation) -> None:
    with pytest.raises(ValueError, match="not finished"):
        record_grade(evaluation=graded, at=NOW)


def test_another_scheme_holds_for_everybody_and_the_earlier_points_are_kept(
    team: Team, graded: Evaluation, assignment: Assignment, ida: User
) -> None:
    fakes.play(graded, lambda _: 17)
    scheme = {**assignment.grading, "full_mean": "16"}
    assert update_assignment(assignment=assignment, by=ida, grading=scheme, at=NOW) == 1
    now, before = team.grades.order_by("-is_current")
    assert (now.points, now.scheme["full_mean"]) == (Decimal("101.00"), "16")
    assert (now.evaluation, now.mean, now.changed_by, now.graded_at) == (graded, 17.0, ida, NOW)
    assert (before.points, before.changed_by) == (Decimal("102.00"), None)
    assert Decimal(before.scheme["full_mean"]) == 15


def test_the_same_scheme_written_otherwise_changes_no_grade(
    team: Team, graded: Evaluation, assignment: Assignment, ida: User
) -> None:
    fakes.play(graded)
    scheme = {**assignment.grading, "full_mean": "15.00"}
    assert update_assignment(assignment=assignment, by=ida, grading=scheme) == 0
    assert team.grades.count() == 1


def test_an_evaluation_gives_one_grade_only(graded: Evaluation) -> None:
    fakes.play(graded)
    with pytest.raises(IntegrityError), transaction.atomic():
        record_grade(evaluation=graded, at=NOW)


@pytest.mark.slow
@pytest.mark.parametrize("has_newest", [False, True], ids=["it counts", "a third one counts"])
def test_the_order_of_finishing_does_not_decide_the_grade(
    team: Team, graded: Evaluation, ida: User, ready: Callable[..., Submission], *, has_newest: bool
) -> None:
    ready(team)
    later = grade_team(team=team, by=ida)
    if has_newest:
        ready(team)
    fakes.play(later, lambda _: 20)
    fakes.play(graded, lambda _: 9)
    grade = grade_of(team)
    assert grade is not None
    assert grade.evaluation == later


@pytest.mark.slow
def test_the_gradebook_says_why_there_is_no_grade(
    assignment: Assignment,
    team: Team,
    graded: Evaluation,
    enrol: Callable[..., User],
    ready: Callable[..., Submission],
    upload: Callable[..., Submission],
) -> None:
    fakes.play(graded)
    enrol("Ben")
    upload(team_for(user=enrol("Cy"), assignment=assignment))
    ready(team_for(user=enrol("Dee"), assignment=assignment))
    broken = upload(team_for(user=enrol("Eve"), assignment=assignment))
    fakes.play(broken.evaluations.get(), lambda _: FaultKind.CRASH)
    rows = fakes.works(assignment)
    assert {row.team.name if row.team else "Ben": row.status for row in rows} == {
        "Ada": GradeStatus.GRADED,
        "Ben": GradeStatus.NOT_SUBMITTED,
        "Cy": GradeStatus.TESTING,
        "Dee": GradeStatus.NOT_GRADED,
        "Eve": GradeStatus.NOTHING_COUNTS,
    }
    ready(team)
    assert fakes.works(assignment)[0].status == GradeStatus.OUTDATED


@pytest.mark.slow
def test_the_gradebook_takes_few_queries(
    assignment: Assignment,
    graded: Evaluation,
    enrol: Callable[..., User],
    ready: Callable[..., Submission],
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    fakes.play(graded)
    for name in ("Ben", "Cy", "Dee"):
        ready(team_for(user=enrol(name), assignment=assignment))
    with django_assert_num_queries(9):
        gradebook_csv(assignment)


def test_text_in_the_csv_cannot_be_a_formula(
    assignment: Assignment, team: Team, graded: Evaluation, ada: User
) -> None:
    ada.display_name = "=HYPERLINK(0)"
    ada.save()
    enrolment = assignment.course.enrolments.get(user=ada)
    enrolment.student_number = "+4912"
    enrolment.section = Section.objects.create(course=assignment.course, name="@home")
    enrolment.save()
    fakes.play(graded, lambda index: 0 if index else 1)
    header, row = csv.reader(io.StringIO(gradebook_csv(assignment).removeprefix("\ufeff")))
    cells = dict(zip(header, row, strict=True))
    assert cells["Name"] == "'=HYPERLINK(0)"
    assert cells["Student number"] == "'+4912"
    assert cells["Section"] == "'@home"
    assert (cells["Points"], cells["Status"]) == ("0.00", "graded")


def test_the_database_refuses_two_current_grades_of_a_team(team: Team, graded: Evaluation) -> None:
    fakes.play(graded)
    with pytest.raises(IntegrityError), transaction.atomic():
        Grade.objects.create(
            team=team,
            evaluation=graded,
            mean=1,
            points=1,
            scheme={},
            graded_at=NOW + timedelta(days=1),
        )
