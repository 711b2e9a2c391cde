"""The submission that counts, to the second."""

from collections.abc import Callable
from datetime import timedelta

from grader.core.records import FaultKind
from tests.webapp import fakes
from tests.webapp.conftest import NOW
from webapp.grading.evaluations.models import Kind
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.selectors import counted_submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Team
from webapp.teaching.courses.resolution import resolution_of

SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)


def test_the_latest_ready_submission_by_the_deadline_counts_to_the_second(
    team: Team, assignment: Assignment, ready: Callable[..., Submission]
) -> None:
    ready(team, at=assignment.due_at + SECOND)
    assert counted_submission(team) is None
    assert ready(team, at=NOW) == counted_submission(team)
    last = ready(team, at=assignment.due_at)
    ready(team, at=assignment.due_at + SECOND)
    assert counted_submission(team) == last


def test_an_upload_that_was_not_ready_does_not_count(
    team: Team, ready: Callable[..., Submission], upload: Callable[..., Submission]
) -> None:
    first = ready(team)
    rejected = upload(team)
    fakes.play(rejected.evaluations.get(kind=Kind.SMOKE), lambda _: FaultKind.CRASH)
    upload(team)
    assert counted_submission(team) == first


def test_an_extension_never_shortens_the_time(
    team: Team, assignment: Assignment, ida: User, ready: Callable[..., Submission]
) -> None:
    team.extended_due_at = assignment.due_at - DAY
    team.save()
    team.refresh_from_db()
    assert resolution_of(team).deadline.due_at == assignment.due_at
    last = ready(team, at=assignment.due_at)
    assert counted_submission(team) == last
