"""A form that is sent twice is one submission: a double click, or a page that was loaded again."""

from datetime import datetime, timedelta

import pytest

from tests.webapp.conftest import AGENT, NOW
from webapp.base.errors import Refused
from webapp.flow.pipeline import accept, accept_from
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.selectors import uploads_left
from webapp.grading.submissions.services import check_upload, record_upload
from webapp.grading.submissions.services.uploading import SAME_WITHIN
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Team
from webapp.teaching.courses.services import join_team

SECOND = timedelta(seconds=1)
OTHER = AGENT + b"# another\n"


def send(team: Team, by: User, at: datetime = NOW, data: bytes = AGENT) -> Submission:
    return accept(team=team, by=by, filename="mine.py", data=data, at=at)


def test_an_upload_that_is_sent_twice_is_one_with_one_test(
    assignment: Assignment, ada: User
) -> None:
    sent = [
        accept_from(user=ada, assignment=assignment, filename="a.py", data=AGENT, at=NOW + late)
        for late in (timedelta(0), SECOND, SAME_WITHIN)
    ]
    assert {submission.pk for submission in sent} == {Submission.objects.get().pk}
    assert Evaluation.objects.count() == 1
    assert Submission.objects.get().uploaded_at == NOW
    assert uploads_left(sent[0].team, at=NOW) == assignment.uploads_per_day - 1


def test_two_requests_that_are_checked_at_once_are_one_upload(team: Team, ada: User) -> None:
    checked = [
        check_upload(team=team, by=ada, at=NOW, filename="mine.py", data=AGENT) for _ in range(2)
    ]
    first, second = (record_upload(upload, at=NOW) for upload in checked)
    assert first == second


def test_partners_who_send_the_same_file_at_once_send_one_upload(
    team: Team, assignment: Assignment, ada: User, ben: User
) -> None:
    join_team(user=ben, assignment=assignment, join_code=team.join_code, at=NOW)
    assert send(team, ada) == send(team, ben, NOW + SECOND)


def test_the_same_file_some_time_later_is_another_upload(team: Team, ada: User) -> None:
    first, second = send(team, ada), send(team, ada, NOW + SAME_WITHIN + SECOND)
    assert (first.number, second.number) == (1, 2)


def test_the_file_before_the_last_one_is_another_upload(team: Team, ada: User) -> None:
    for at, data in enumerate((AGENT, OTHER, AGENT)):
        send(team, ada, NOW + at * SECOND, data)
    assert Submission.objects.count() == 3


def test_the_days_last_upload_is_taken_when_it_is_sent_twice(
    team: Team, assignment: Assignment, ada: User
) -> None:
    Assignment.objects.update(uploads_per_day=1)
    team.assignment.refresh_from_db()
    assert send(team, ada) == send(team, ada, NOW + SECOND)
    with pytest.raises(Refused, match="1 upload for today"):
        send(team, ada, NOW + SECOND, OTHER)


def test_an_upload_in_time_is_taken_when_it_is_sent_again_after_the_end(
    team: Team, ada: User
) -> None:
    Assignment.objects.update(practice_after_due=False)
    team.assignment.refresh_from_db()
    due = team.assignment.due_at
    first = send(team, ada, due)
    assert send(team, ada, due + SECOND) == first
    assert Submission.objects.get().uploaded_at == due
    with pytest.raises(Refused, match="no late uploads"):
        send(team, ada, due + SECOND, OTHER)
