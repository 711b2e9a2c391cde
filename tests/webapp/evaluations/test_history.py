"""The history of each upload."""

from collections.abc import Callable
from datetime import timedelta

from pytest_django import DjangoAssertNumQueries

from tests.webapp import fakes
from tests.webapp.conftest import NOW
from webapp.grading.evaluations.history import history
from webapp.grading.evaluations.models import Kind
from webapp.grading.evaluations.services import cancel, grade_team, request_practice
from webapp.grading.evaluations.watching import latest_of_each_kind
from webapp.grading.gradebook.work import Work
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Team

SECOND = timedelta(seconds=1)


def test_an_upload_in_time_is_in_test_until_its_smoke_test_is_over(
    team: Team, assignment: Assignment, ida: User, upload: Callable[..., Submission]
) -> None:
    upload(team)
    last = upload(team)
    upload(team, at=assignment.due_at + SECOND)
    assert Work([assignment]).testing == {team.pk: last}
    for submission in team.submissions.all():
        cancel(evaluation=submission.evaluations.get(), by=ida)
    assert Work([assignment]).testing == {}


def test_the_history_has_the_latest_evaluation_of_each_kind_in_few_queries(
    team: Team,
    ada: User,
    ready: Callable[..., Submission],
    upload: Callable[..., Submission],
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    first = ready(team)
    second = upload(team)
    with django_assert_num_queries(6):
        newest, oldest = history(team, viewer=ada)
        assert (newest.submission.uploaded_by.display_name) == "Ada"
    assert (newest.submission, newest.is_counted, newest.practice) == (second, False, None)
    assert (oldest.submission, oldest.is_counted) == (first, True)
    assert oldest.practice is not None
    assert oldest.graded is None


def test_the_evaluation_that_was_asked_for_last_is_the_latest_also_if_a_clock_was_fast(
    team: Team, ada: User, ida: User, ready: Callable[..., Submission]
) -> None:
    submission = ready(team)
    fakes.play(submission.evaluations.get(kind=Kind.PRACTICE))
    submission.evaluations.update(requested_at=NOW + timedelta(minutes=10))
    again = request_practice(submission=submission, by=ida, at=NOW)
    (row,) = history(team, viewer=ada)
    assert (row.practice, row.is_under_way) == (again, True)
    assert again in latest_of_each_kind(ada, submission.pk)
    before = grade_team(team=team, by=ida, at=NOW + timedelta(minutes=10))
    fakes.play(before)
    again = grade_team(team=team, by=ida, at=NOW)
    (shown,) = Work([team.assignment], teams=[team.pk]).rows()
    assert shown.run == again
