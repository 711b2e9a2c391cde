"""An upload is checked whole, stored once, numbered, limited in number, and tested."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pytest_django import Settings

from grader.core.errors import SystemFault
from grader.core.records import BuildMessage, BuildReport
from grader.uploads.archive import read_archive
from tests.support.zips import zipped
from tests.webapp.conftest import AGENT, NOW
from webapp.base.errors import NotAllowed, Refused, UploadRefused
from webapp.flow.pipeline import accept, accept_from, update_assignment
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.grading.submissions.selectors import archive, uploads_left
from webapp.grading.submissions.services.builds import accept_build
from webapp.grading.submissions.services.uploading import (
    MAX_REFUSALS,
    REFUSALS_WITHIN,
    check_upload,
    record_upload,
)
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Course, EnrolmentState, Role, Team
from webapp.teaching.courses.services import change_people, extend_deadline, move_student, team_for

WEEK = timedelta(days=7)
LATER = NOW + timedelta(minutes=1)
"""Long enough for another upload of the same file."""
TICK = timedelta(seconds=1)


def test_an_accepted_upload_is_stored_and_waits_for_its_smoke_test(team: Team, ada: User) -> None:
    submission = accept(team=team, by=ada, filename="mine.py", data=AGENT, at=NOW)
    assert (submission.number, submission.status) == (1, SubmissionStatus.RECEIVED)
    (file,) = read_archive(archive(submission)).files
    assert (file.name, file.data) == ("agent.py", AGENT)
    (evaluation,) = submission.evaluations.all()
    assert (evaluation.kind, evaluation.sha256) == (Kind.SMOKE, submission.sha256)


def test_equal_sources_have_equal_hashes_whatever_their_packing(team: Team, ada: User) -> None:
    packed = zipped(("my project/agent.py", AGENT))
    single = accept(team=team, by=ada, filename="mine.py", data=AGENT, at=NOW)
    archived = accept(team=team, by=ada, filename="mine.zip", data=packed, at=LATER)
    assert single.sha256 == archived.sha256
    assert (single.number, archived.number) == (1, 2)


def test_a_bad_archive_leaves_nothing_behind(team: Team, ada: User, settings: Settings) -> None:
    with pytest.raises(UploadRefused) as caught:
        accept(team=team, by=ada, filename="mine.zip", data=b"not a zip", at=NOW)
    (message,) = caught.value.messages
    assert message.file == "mine.zip"
    assert message.text
    assert not Submission.objects.exists()
    assert not Path(settings.STORE_URL).exists()


def test_a_file_that_is_left_out_is_told_of_from_the_upload_on(team: Team, ada: User) -> None:
    packed = zipped(("agent.py", AGENT), ("C:notes.txt", b"hello"))
    submission = accept(team=team, by=ada, filename="mine.zip", data=packed, at=NOW)
    (note,) = submission.notes
    assert note["text"].startswith("not used: 'C:notes.txt' has a drive letter")
    said = BuildMessage(file="agent.py", line=0, column=0, text="This is Python 2.")
    accept_build(submission, BuildReport(ok=True, messages=(said,)))
    assert [one["text"] for one in submission.notes] == [note["text"], "This is Python 2."]


def test_a_file_beyond_the_limit_is_refused(team: Team, ada: User, settings: Settings) -> None:
    settings.MAX_UPLOAD_BYTES = 10
    with pytest.raises(UploadRefused, match="at most 10"):
        accept(team=team, by=ada, filename="mine.py", data=AGENT, at=NOW)


def test_the_first_upload_makes_a_team(assignment: Assignment, ada: User) -> None:
    first = accept_from(user=ada, assignment=assignment, filename="a.py", data=AGENT, at=NOW)
    second = accept_from(user=ada, assignment=assignment, filename="a.py", data=AGENT, at=LATER)
    assert (first.team, first.number, second.number) == (second.team, 1, 2)
    assert list(first.team.users.all()) == [ada]


def test_a_first_upload_that_is_refused_makes_no_team(
    assignment: Assignment, ada: User, outsider: User, settings: Settings
) -> None:
    def upload(user: User = ada, data: bytes = AGENT, at: datetime = NOW) -> None:
        accept_from(user=user, assignment=assignment, filename="m.zip", data=data, at=at)

    with pytest.raises(UploadRefused):
        upload(data=b"not a zip")
    with pytest.raises(NotAllowed):
        upload(user=outsider)
    with pytest.raises(Refused):
        upload(at=assignment.opens_at - TICK)
    Path(settings.STORE_URL).write_text("a file where the directory should be")
    with pytest.raises(SystemFault):
        accept_from(user=ada, assignment=assignment, filename="m.py", data=AGENT, at=NOW)
    for model in (Team, Submission, Evaluation):
        assert not model.objects.exists()


def test_after_many_refusals_no_more_is_looked_at(
    assignment: Assignment, ada: User, ben: User
) -> None:
    def upload(by: User, data: bytes, at: datetime) -> Submission:
        name = "mine.zip" if data != AGENT else "mine.py"
        return accept_from(user=by, assignment=assignment, filename=name, data=data, at=at)

    for number in range(MAX_REFUSALS):
        with pytest.raises(UploadRefused):
            upload(ada, b"not a zip", NOW + number * TICK)
    now = NOW + MAX_REFUSALS * TICK
    with pytest.raises(Refused, match="upload again in 10 minutes"):
        upload(ada, AGENT, now)
    assert upload(ben, AGENT, now).number == 1
    assert upload(ada, AGENT, NOW + REFUSALS_WITHIN + TICK).number == 1


def test_uploading_for_another_team_is_refused(team: Team, ben: User, outsider: User) -> None:
    for user in (ben, outsider):
        with pytest.raises(NotAllowed):
            accept(team=team, by=user, filename="mine.py", data=AGENT, at=NOW)


def test_uploads_beyond_those_of_a_day_in_the_courses_time_zone_are_not_kept(
    team: Team, upload: Callable[..., Submission], settings: Settings
) -> None:
    midnight = datetime(2026, 3, 10, 23, 0, tzinfo=UTC)  # in Berlin
    for _ in range(3):
        upload(team, at=midnight - TICK)
    stored = sorted(Path(settings.STORE_URL).rglob("*"))
    with pytest.raises(Refused, match="3 uploads for today"):
        upload(team, at=midnight - TICK)
    assert sorted(Path(settings.STORE_URL).rglob("*")) == stored
    assert uploads_left(team, at=midnight) == 3
    assert upload(team, at=midnight).number == 4


def test_uploads_that_are_checked_at_the_same_moment_share_the_quota(team: Team, ada: User) -> None:
    checked = [
        check_upload(team=team, by=ada, at=NOW, filename="mine.py", data=AGENT + b"#" * number)
        for number in range(4)
    ]
    for upload in checked[:3]:
        record_upload(upload, at=NOW)
    with pytest.raises(Refused, match="3 uploads for today"):
        record_upload(checked[3], at=NOW)


def archive_course(assignment: Assignment, _: User) -> None:
    Course.objects.filter(pk=assignment.course_id).update(archived_at=NOW)


def remove_ada(assignment: Assignment, ida: User) -> None:
    course = Course.objects.get(pk=assignment.course_id)
    people = list(course.enrolments.filter(user__display_name="Ada"))
    change_people(
        course=course, by=ida, enrolments=people, state=EnrolmentState.REMOVED, reason="Left"
    )


def move_ada(assignment: Assignment, ida: User) -> None:
    ada, ben = (User.objects.get(display_name=name) for name in ("Ada", "Ben"))
    move_student(user=ada, team=team_for(user=ben, assignment=assignment), by=ida)


@pytest.mark.parametrize("change", [archive_course, remove_ada, move_ada])
def test_an_upload_is_refused_if_its_sender_lost_the_right_while_it_was_checked(
    submission: Submission, ada: User, ben: User, ida: User, change: Callable[..., None]
) -> None:
    team = Team.objects.select_related("assignment__course").get(pk=submission.team_id)
    upload = check_upload(team=team, by=ada, at=NOW, filename="mine.py", data=AGENT)
    change(Assignment.objects.get(pk=team.assignment_id), ida)
    with pytest.raises((Refused, NotAllowed)):
        record_upload(upload, at=NOW)
    assert list(Submission.objects.all()) == [submission]


def test_before_the_opening_nothing_is_taken(
    team: Team, assignment: Assignment, upload: Callable[..., Submission]
) -> None:
    with pytest.raises(Refused, match="not open yet"):
        upload(team, at=assignment.opens_at - TICK)
    assert upload(team, at=assignment.opens_at).number == 1


def test_late_uploads_are_taken_only_if_the_assignment_says_so(
    team: Team, assignment: Assignment, ida: User, upload: Callable[..., Submission]
) -> None:
    assert upload(team, at=assignment.due_at + TICK).number == 1
    update_assignment(assignment=assignment, by=ida, practice_after_due=False)
    team.refresh_from_db()
    with pytest.raises(Refused, match="deadline has passed"):
        upload(team, at=assignment.due_at + TICK)
    assert upload(team, at=assignment.due_at).number == 2
    extend_deadline(team=team, by=ida, due_at=assignment.due_at + WEEK, reason="Ill")
    team.refresh_from_db()
    assert upload(team, at=assignment.due_at + WEEK).number == 3
    with pytest.raises(Refused):
        upload(team, at=assignment.due_at + WEEK + TICK)


def test_a_path_in_the_files_name_is_dropped(team: Team, ada: User) -> None:
    submission = accept(team=team, by=ada, filename="C:\\Users\\ada\\mine.py", data=AGENT, at=NOW)
    assert submission.filename == "mine.py"


def test_submissions_are_visible_to_their_team_and_to_staff(
    submission: Submission, enrol: Callable[..., User], ada: User, ben: User, ida: User
) -> None:
    assistant = enrol("Tom", role=Role.ASSISTANT)
    counts = [
        Submission.objects.visible_to(user).filter(pk=submission.pk).count()
        for user in (ada, ida, assistant, ben)
    ]
    assert counts == [1, 1, 1, 0]
