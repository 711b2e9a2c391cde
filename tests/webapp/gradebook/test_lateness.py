"""Penalties for lateness, and points after changes of dates."""

import csv
import io
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from django.db.models.signals import post_init
from django.test import Client

from tests.support.pages import signed_in
from tests.webapp import fakes
from tests.webapp.conftest import NOW
from webapp.base.errors import NotAllowed, Refused
from webapp.flow.pipeline import change_dates, update_assignment
from webapp.grading.evaluations.history import history
from webapp.grading.evaluations.services import grade_team
from webapp.grading.gradebook.models import Grade
from webapp.grading.gradebook.points import grade_of
from webapp.grading.gradebook.spreadsheets import gradebook_csv
from webapp.grading.gradebook.work import GradeStatus
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.selectors import counted_submission
from webapp.grading.submissions.services import choose_submission
from webapp.pages.accounts import export
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Course, Enrolment, Team
from webapp.teaching.courses.services import extend_deadline, extend_student, join_team, team_for

SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)

Ready = Callable[..., Submission]


@pytest.fixture
def penalised(assignment: Assignment) -> Assignment:
    """Ten percent off for each started day."""
    Assignment.objects.update(penalty_percent=Decimal(10))
    assignment.refresh_from_db()
    return assignment


def points(team: Team) -> Decimal:
    grade = grade_of(team)
    assert grade is not None
    return grade.points


def extend(team: Team, by: User, due_at: datetime | None) -> None:
    team.refresh_from_db()
    change_dates(
        course=team.assignment.course,
        by=by,
        change=lambda: extend_deadline(team=team, by=by, due_at=due_at, reason="Ill"),
    )
    team.refresh_from_db()


@pytest.fixture
def late(penalised: Assignment, team: Team, ida: User, ready: Ready) -> Submission:
    """Ada's upload, a day and a half late, graded: 102 points before the penalty."""
    submission = ready(team, at=penalised.due_at + 36 * HOUR)
    fakes.play(grade_team(team=team, by=ida, at=NOW), lambda _: 17)
    return submission


def test_a_late_upload_costs_points_and_the_gradebook_says_how_late(
    penalised: Assignment, team: Team, late: Submission
) -> None:
    (row,) = fakes.works(penalised)
    assert row.grade is not None
    assert (row.grade.full_points, row.grade.penalty_percent) == (Decimal("102.00"), Decimal(20))
    assert row.resolution.lateness is not None
    assert row.resolution.lateness.late_by == 36 * HOUR
    (cells,) = csv.DictReader(io.StringIO(gradebook_csv(penalised)))
    assert cells["Late (hours)"] == "36.0"
    assert (cells["Penalty (%)"], cells["Points before penalty"]) == ("20.00", "102.00")
    assert cells["Points"] == "81.60"


def test_an_extension_given_afterwards_gives_the_points_back(
    team: Team, late: Submission, ida: User
) -> None:
    extend(team, ida, team.assignment.due_at + 2 * DAY)
    assert points(team) == Decimal("102.00")
    earlier = Grade.objects.get(is_current=False)
    assert (earlier.points, earlier.changed_by) == (Decimal("81.60"), None)


def test_an_upload_that_counts_no_more_is_worth_nothing(
    assignment: Assignment, team: Team, ida: User, ready: Ready
) -> None:
    """The extension is withdrawn, and nothing late counts without one."""
    extend(team, ida, assignment.due_at + 5 * DAY)
    ready(team, at=assignment.due_at + 4 * DAY)
    fakes.play(grade_team(team=team, by=ida, at=NOW), lambda _: 17)
    assert points(team) == Decimal(102)
    extend(team, ida, None)
    assert counted_submission(team) is None
    assert points(team) == Decimal(0)
    (row,) = fakes.works(assignment)
    assert row.status is GradeStatus.NOTHING_COUNTS
    extend(team, ida, assignment.due_at + 5 * DAY)
    assert points(team) == Decimal(102)


def test_an_upload_that_counts_no_more_is_worth_nothing_when_its_games_end(
    penalised: Assignment, team: Team, ida: User, ready: Ready
) -> None:
    update_assignment(assignment=penalised, by=ida, hard_end_at=penalised.due_at + DAY)
    extend(team, ida, penalised.due_at + 3 * DAY)
    ready(team, at=penalised.due_at + 3 * DAY)
    run = grade_team(team=team, by=ida, at=NOW)
    extend(team, ida, None)
    fakes.play(run, lambda _: 17)
    assert counted_submission(team) is None
    assert points(team) == Decimal(0)


def test_points_stay_until_the_upload_that_counts_instead_is_graded(
    assignment: Assignment, team: Team, ida: User, ready: Ready
) -> None:
    extend(team, ida, assignment.due_at + 5 * DAY)
    first = ready(team, at=assignment.due_at - DAY)
    ready(team, at=assignment.due_at + 4 * DAY)
    fakes.play(grade_team(team=team, by=ida, at=NOW), lambda _: 17)
    extend(team, ida, None)
    assert counted_submission(team) == first
    assert points(team) == Decimal(102)
    (row,) = fakes.works(assignment)
    assert row.status is GradeStatus.OUTDATED


def test_another_policy_holds_for_points_that_are_there(
    penalised: Assignment, team: Team, late: Submission, ida: User
) -> None:
    assert update_assignment(assignment=penalised, by=ida, penalty_percent=Decimal(5)) == 1
    assert points(team) == Decimal("91.80")
    assert update_assignment(assignment=penalised, by=ida, grace_minutes=5) == 0


def test_late_days_that_another_upload_takes_cost_points_at_once(
    team: Team, assignment: Assignment, ada: User, ida: User, ready: Ready
) -> None:
    course = assignment.course
    course.late_days = 1
    course.save()
    update_assignment(assignment=assignment, by=ida, max_late_days=1, penalty_percent=Decimal(10))
    ready(team, at=assignment.due_at + HOUR)
    fakes.play(grade_team(team=team, by=ida, at=NOW), lambda _: 17)
    assert points(team) == Decimal("102.00")
    course.refresh_from_db()
    course.late_days = 0
    change_dates(course=course, by=ida, change=course.save)
    assert points(team) == Decimal("91.80")


def with_a_late_day(assignment: Assignment, second: Assignment, by: User) -> None:
    """Everybody has one late day, and after it each day costs a tenth."""
    Course.objects.update(late_days=1)
    for each in (assignment, second):
        each.refresh_from_db()
        update_assignment(assignment=each, by=by, max_late_days=1, penalty_percent=Decimal(10))


def test_a_late_day_that_an_upload_takes_is_the_reason_for_other_points(
    team: Team, assignment: Assignment, second: Assignment, ada: User, ida: User, ready: Ready
) -> None:
    with_a_late_day(assignment, second, ida)
    other = team_for(user=ada, assignment=second)
    ready(other, at=second.due_at + HOUR)
    fakes.play(grade_team(team=other, by=ida, at=NOW), lambda _: 17)
    assert points(other) == Decimal(102)
    team.refresh_from_db()
    ready(team, at=assignment.due_at + HOUR)
    assert points(other) == Decimal("91.80")
    grade = grade_of(other)
    assert grade is not None
    assert grade.reason == "An upload that counts uses late days."
    audit_log = json.loads(export.everything_about(ada))["audit_log"]
    assert not any("91.80" in str(act) for act in audit_log), "it may be held"


def test_an_upload_or_a_choice_reads_no_grades_of_students_who_share_no_late_days(
    team: Team, assignment: Assignment, second: Assignment, ada: User, ben: User, ida: User,
    ready: Ready,
) -> None:  # fmt: skip
    with_a_late_day(assignment, second, ida)
    Assignment.objects.filter(pk=assignment.pk).update(counts="choice")
    for user in (ada, ben):
        graded = team_for(user=user, assignment=second)
        ready(graded, at=second.due_at)
        fakes.play(grade_team(team=graded, by=ida, at=NOW))
    own, read = grade_of(team_for(user=ada, assignment=second)), set()

    def note(instance: Grade, **_: object) -> None:
        read.add(instance.pk)

    post_init.connect(note, sender=Grade)
    try:
        team.refresh_from_db()
        submission = ready(team, at=assignment.due_at)
        assert read == {own.pk}
        read.clear()
        change_dates(
            course=assignment.course,
            by=ada,
            change=lambda: choose_submission(submission=submission, by=ada, at=NOW),
        )
        assert read == {own.pk}
    finally:
        post_init.disconnect(note, sender=Grade)


def test_a_student_who_joins_a_team_shares_the_late_days_it_used(
    team: Team,
    assignment: Assignment,
    second: Assignment,
    ben: User,
    ida: User,
    ready: Ready,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_a_late_day(assignment, second, ida)
    bens = team_for(user=ben, assignment=second)
    ready(bens, at=second.due_at + HOUR)
    fakes.play(grade_team(team=bens, by=ida, at=NOW), lambda _: 17)
    team.refresh_from_db()
    ready(team, at=assignment.due_at + HOUR)
    assert points(bens) == Decimal(102)
    client = Client()
    monkeypatch.setattr("webapp.teaching.courses.services.teams.timezone.now", lambda: NOW)
    client.force_login(ben)
    code = {"join_code": team.join_code}
    client.post("/courses/games/assignments/hanabi/team/join/", code)
    assert team.memberships.count() == 2
    assert points(bens) == Decimal("91.80")


def test_a_partner_who_becomes_staff_takes_their_extension_along(
    penalised: Assignment, team: Team, ben: User, ida: User, ready: Ready
) -> None:
    join_team(user=ben, assignment=penalised, join_code=team.join_code, at=NOW)
    place = penalised.course.enrolments.get(user=ben)
    due = penalised.due_at + DAY
    extend_student(enrolment=place, assignment=penalised, by=ida, due_at=due, reason="Ill")
    ready(team, at=penalised.due_at + HOUR)
    fakes.play(grade_team(team=team, by=ida, at=NOW), lambda _: 17)
    assert points(team) == Decimal(102)
    client = signed_in(ida)
    role = {"role": "assistant", "reason": "Helps now"}
    assert client.post(f"/courses/games/people/{place.pk}/role/", role).status_code == 302
    assert points(team) == Decimal("91.80")


def choosing(assignment: Assignment, team: Team, ready: Ready) -> tuple[Submission, Submission]:
    Assignment.objects.update(counts="choice")
    assignment.refresh_from_db()
    team.refresh_from_db()
    return ready(team, at=NOW), ready(team, at=NOW + HOUR)


def test_the_submission_that_a_team_chose_counts_also_after_grading(
    assignment: Assignment, team: Team, ada: User, ida: User, ready: Ready
) -> None:
    with pytest.raises(Refused, match="don't choose"):
        choose_submission(submission=ready(team), by=ada, at=NOW)
    first, second = choosing(assignment, team, ready)
    assert counted_submission(team) == second
    fakes.play(grade_team(team=team, by=ida, at=NOW))
    choose_submission(submission=first, by=ada, at=NOW + DAY)
    assert counted_submission(team) == first
    (row,) = fakes.works(assignment)
    assert row.status == GradeStatus.OUTDATED
    ready(team, at=NOW + DAY)
    assert counted_submission(team) == first
    shown = [row.is_counted for row in history(team, viewer=ada)]
    assert shown == [False, False, True, False]


def test_only_the_team_and_staff_choose_and_the_team_in_time(
    assignment: Assignment, team: Team, ada: User, ben: User, ida: User, ready: Ready
) -> None:
    first, _ = choosing(assignment, team, ready)
    over = assignment.due_at + SECOND
    with pytest.raises(NotAllowed):
        choose_submission(submission=first, by=ben, at=NOW)
    with pytest.raises(Refused, match="time to choose is over"):
        choose_submission(submission=first, by=ada, at=over)
    choose_submission(submission=first, by=ida, at=over)
    assert counted_submission(team) == first


def test_a_rejected_or_late_upload_cannot_be_chosen(
    assignment: Assignment, team: Team, ada: User, ready: Ready, upload: Ready
) -> None:
    choosing(assignment, team, ready)
    with pytest.raises(Refused, match="Only an accepted upload"):
        choose_submission(submission=upload(team, at=NOW + DAY), by=ada, at=NOW)
    too_late = ready(team, at=assignment.due_at + SECOND)
    with pytest.raises(Refused, match="too late"):
        choose_submission(submission=too_late, by=ada, at=NOW)


def test_a_students_extension_reaches_the_gradebook(
    assignment: Assignment, ada: User, ida: User
) -> None:
    until = assignment.due_at + DAY
    place = Enrolment.objects.select_related("course", "user").get(user=ada)
    extend_student(enrolment=place, assignment=assignment, by=ida, due_at=until, reason="Ill")
    (row,) = fakes.works(assignment)
    assert row.resolution.deadline.due_at == until
    (cells,) = csv.DictReader(io.StringIO(gradebook_csv(assignment)))
    assert cells["Due at"] != ""
