"""The gradebook of a course: missing work, work in grading, what is left out, few queries."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

from pytest_django import DjangoAssertNumQueries

from tests.webapp import fakes
from tests.webapp.conftest import NOW
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.gradebook.course import (
    CourseTotal,
    assignments_of,
    course_rows,
    own_total,
)
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Team


def rows(assignment: Assignment, days: int) -> list[CourseTotal]:
    course, at = assignment.course, NOW + timedelta(days=days)
    return [row for _, row in course_rows(course, assignments_of(course), at=at)]


def test_a_student_without_upload_has_zero_after_the_end(
    graded: Evaluation, assignment: Assignment, second: Assignment, ben: User
) -> None:
    fakes.play(graded, lambda _: 17)
    shown = [[cell.value for cell in row.results] for row in rows(assignment, 8)]
    assert shown == [[Decimal(102), None], [Decimal(0), None]]
    assert [row.percent for row in rows(assignment, 8)] == [102, 0]
    assert [row.percent for row in rows(assignment, 20)] == [Decimal("25.50"), 0]


def test_an_ungraded_assignment_does_not_count_yet(
    graded: Evaluation, assignment: Assignment
) -> None:
    (ada,) = rows(assignment, 20)
    assert (ada.results[0].value, ada.results[0].is_missing, ada.percent) == (None, False, None)


def test_an_upload_in_time_that_no_test_has_judged_is_not_missing(
    assignment: Assignment, team: Team, ada: User, upload: Callable[..., Submission]
) -> None:
    submission = upload(team, at=assignment.due_at - timedelta(minutes=1))
    upload(team, at=assignment.due_at + timedelta(minutes=1))
    after = assignment.due_at + timedelta(days=1)
    ((_, row),) = course_rows(assignment.course, [assignment], at=after)
    (own,) = own_total(ada, assignment.course, at=after).results
    assert (row.results[0].value, row.results[0].is_missing, own.is_missing) == (None, False, False)
    submission.advance(SubmissionStatus.REJECTED)
    ((_, row),) = course_rows(assignment.course, [assignment], at=after)
    (own,) = own_total(ada, assignment.course, at=after).results
    assert (row.results[0].value, row.results[0].is_missing, own.is_missing) == (0, True, True)


def test_the_course_gradebook_takes_the_same_queries_for_any_number_of_students_and_assignments(
    graded: Evaluation,
    assignment: Assignment,
    second: Assignment,
    enrol: Callable[..., User],
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for name in ("Ben", "Cy", "Dee"):
        enrol(name)
    with django_assert_num_queries(10):
        rows(assignment, 0)
