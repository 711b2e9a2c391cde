"""The rows that decide about due dates: who is given more time, and who uses late days."""

import random
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import product

import pytest
from pytest_django import DjangoAssertNumQueries

from tests.webapp.conftest import NOW, another
from webapp.base.errors import NotAllowed, Refused
from webapp.flow.undoing import acts_of_moment, undo
from webapp.grading.gradebook.work import Work
from webapp.grading.submissions.models import Choice, Submission, SubmissionStatus
from webapp.people.accounts.models import User
from webapp.people.auditlog.models import Act
from webapp.teaching.courses.deadlines import Cause, DeadlineRule
from webapp.teaching.courses.last_dates import last_ends_at
from webapp.teaching.courses.models import Assignment, Course, Enrolment, Extension, Team
from webapp.teaching.courses.resolution import (
    resolution_for,
    resolution_of,
    resolve_assignment,
)
from webapp.teaching.courses.resolution_rows import read_rows
from webapp.teaching.courses.services import (
    accommodate,
    clear_section_dates,
    create_course,
    create_section,
    extend_all,
    extend_student,
    join_team,
    set_section,
    set_section_dates,
    team_for,
)

DAY, SECOND = timedelta(days=1), timedelta(seconds=1)

Ready = Callable[..., Submission]


def place_of(user: User, course: Course) -> Enrolment:
    return Enrolment.objects.select_related("course", "user").get(user=user, course=course)


def due(user: User, assignment: Assignment) -> timedelta:
    """The time by which the user's work is due later than usual."""
    return resolution_for(user, assignment).deadline.due_at - assignment.due_at


def extend(user: User, assignment: Assignment, by: User, due_at: datetime) -> None:
    place = place_of(user, assignment.course)
    extend_student(enrolment=place, assignment=assignment, by=by, due_at=due_at, reason="Ill")


def allow(assignment: Assignment, *, course_days: int = 0, **policy: object) -> None:
    Course.objects.filter(pk=assignment.course_id).update(late_days=course_days)
    Assignment.objects.filter(pk=assignment.pk).update(**policy)
    assignment.refresh_from_db()


def test_the_extension_that_was_given_last_holds_also_if_a_clock_was_fast(
    assignment: Assignment, course: Course, ada: User, ida: User
) -> None:
    give = partial(
        extend_student, enrolment=place_of(ada, course), assignment=assignment, by=ida, reason="Ill"
    )
    for days, at in ((5, NOW + timedelta(minutes=10)), (2, NOW)):
        give(due_at=assignment.due_at + days * DAY, at=at)
    assert due(ada, assignment) == 2 * DAY
    for days, runs in ((1, True), (3, False)):
        work = Work([assignment], at=assignment.due_at + days * DAY)
        assert work.of(assignment, ada.pk).has_more_time == runs
    undo(acts_of_moment(Act.objects.latest("pk").pk, by=ida), course=course, by=ida, at=NOW)
    assert due(ada, assignment) == 5 * DAY
    give(due_at=None)
    assert due(ada, assignment) == timedelta(0)


def test_an_extension_holds_before_there_is_a_team_and_in_it(
    assignment: Assignment, course: Course, ada: User, ben: User, ida: User
) -> None:
    extend(ada, assignment, ida, assignment.due_at + DAY)
    assert (due(ada, assignment), due(ben, assignment)) == (DAY, timedelta(0))
    team = team_for(user=ben, assignment=assignment)
    join_team(user=ada, assignment=assignment, join_code=team.join_code, at=NOW)
    deadline = resolution_of(team).deadline
    assert deadline.due_at == assignment.due_at + DAY
    assert deadline.steps[-1].cause == Cause.PARTNER
    assert due(ben, assignment) == DAY


def test_a_section_that_is_due_first_may_get_more_time_but_still_less_than_the_others(
    assignment: Assignment, course: Course, ada: User, ida: User
) -> None:
    early = create_section(course=course, by=ida, name="Early")
    Enrolment.objects.filter(user=ada).update(section=early)
    usual = assignment.due_at - 5 * DAY
    set_section_dates(assignment=assignment, section=early, by=ida, due_at=usual)
    with pytest.raises(Refused, match="later than the usual due date"):
        extend(ada, assignment, ida, usual)
    extend(ada, assignment, ida, usual + 2 * DAY)
    assert due(ada, assignment) == -3 * DAY


def test_an_extension_of_many_names_the_one_for_whom_it_is_too_early(
    assignment: Assignment, course: Course, ada: User, ben: User, ida: User
) -> None:
    late = create_section(course=course, by=ida, name="Late")
    Enrolment.objects.filter(user=ben).update(section=late)
    due_at = assignment.due_at + 2 * DAY
    set_section_dates(assignment=assignment, section=late, by=ida, due_at=due_at)
    places = [place_of(user, course) for user in (ada, ben)]
    given = {"by": ida, "due_at": assignment.due_at + DAY, "reason": "Outage"}
    with pytest.raises(Refused, match="the usual due date of Ben"):
        extend_all(assignment=assignment, teams=[], students=places, **given)
    assert not Extension.objects.exists()


def test_students_give_no_extensions_and_staff_have_no_due_dates(
    assignment: Assignment, course: Course, ada: User, ida: User
) -> None:
    later = assignment.due_at + DAY
    with pytest.raises(NotAllowed):
        extend(ada, assignment, ada, later)
    with pytest.raises(Refused, match="Only students"):
        extend(ida, assignment, ida, later)


def test_more_of_the_usual_time_holds_in_every_assignment(
    assignment: Assignment, course: Course, ada: User, ida: User
) -> None:
    accommodate(enrolment=place_of(ada, course), by=ida, time_percent=150, reason="Note seen")
    assert due(ada, assignment) == 7 * DAY  # half of 14 days
    accommodate(enrolment=place_of(ada, course), by=ida, time_percent=100, reason="No more")
    assert due(ada, assignment) == timedelta(0)


def test_a_section_can_have_dates_of_its_own(
    assignment: Assignment, course: Course, ada: User, ben: User, ida: User
) -> None:
    tuesday = create_section(course=course, by=ida, name="Tuesday")
    set_section(enrolment=place_of(ada, course), by=ida, section=tuesday)
    set_section_dates(
        assignment=assignment, section=tuesday, by=ida, due_at=assignment.due_at - DAY
    )
    assert (due(ada, assignment), due(ben, assignment)) == (-DAY, timedelta(0))
    clear_section_dates(assignment=assignment, section=tuesday, by=ida)
    assert due(ada, assignment) == timedelta(0)


def test_a_section_of_another_course_is_given_no_dates(assignment: Assignment, ida: User) -> None:
    other = create_course(by=ida, title="Other", slug="other")
    friday = create_section(course=other, by=ida, name="Friday")
    for change in (
        partial(set_section_dates, due_at=assignment.due_at + DAY),
        clear_section_dates,
    ):
        with pytest.raises(Refused, match="another course"):
            change(assignment=assignment, section=friday, by=ida)


def test_the_last_deadline_includes_extensions_of_students_without_a_team(
    assignment: Assignment, course: Course, ada: User, ida: User
) -> None:
    until = assignment.due_at + 3 * DAY
    extend(ada, assignment, ida, until)
    assert last_ends_at(assignment) == until  # Ada has no team yet


def test_the_last_deadline_is_that_of_everybody_settled_one_by_one(
    assignment: Assignment, course: Course, team: Team, ada: User, ben: User, ida: User
) -> None:
    def all_settled() -> datetime:
        return resolve_assignment(assignment).last_ends_at

    assert last_ends_at(assignment) == all_settled()
    tuesday = create_section(course=course, by=ida, name="Tuesday")
    set_section(enrolment=place_of(ben, course), by=ida, section=tuesday)
    set_section_dates(
        assignment=assignment, section=tuesday, by=ida, due_at=assignment.due_at + DAY
    )
    assert last_ends_at(assignment) == all_settled() == assignment.due_at + DAY
    Team.objects.filter(pk=team.pk).update(extended_due_at=assignment.due_at + 2 * DAY)
    assert last_ends_at(assignment) == all_settled() == assignment.due_at + 2 * DAY
    accommodate(enrolment=place_of(ben, course), by=ida, time_percent=400, reason="Needs time")
    assert last_ends_at(assignment) == all_settled() > assignment.due_at + 2 * DAY
    allow(assignment, course_days=3, max_late_days=2)
    assert last_ends_at(assignment) == all_settled()


def test_late_days_are_used_by_what_is_due_first(
    assignment: Assignment, course: Course, team: Team, ada: User, ida: User, ready: Ready
) -> None:
    allow(assignment, course_days=3, max_late_days=2)
    second = another(course, ida, due_at=assignment.due_at + DAY, max_late_days=3)
    second.refresh_from_db()
    assert resolution_for(ada, second).deadline.late_days == 3
    late = ready(team, at=assignment.due_at + DAY + SECOND)
    resolution = resolution_of(team)
    assert resolution.counted is not None
    assert (resolution.counted.pk, resolution.late_days) == (late.pk, 2)
    assert resolution_for(ada, second).deadline.late_days == 1
    assert resolve_assignment(second).of(ada.pk).deadline.late_days == 1


def test_a_partners_late_days_are_a_teams_limit(
    assignment: Assignment, course: Course, ada: User, ben: User, ida: User, ready: Ready
) -> None:
    allow(assignment, course_days=1, max_late_days=1)
    alone = team_for(user=ben, assignment=assignment)
    ready(alone, at=assignment.due_at + SECOND)
    due_at = assignment.due_at + DAY
    both = another(course, ida, "both", due_at=due_at, max_late_days=1, max_team_size=2)
    together = team_for(user=ada, assignment=both)
    assert resolution_of(together).deadline.late_days == 1
    join_team(user=ben, assignment=both, join_code=together.join_code, at=NOW)
    assert resolution_of(together).deadline.late_days == 0


@pytest.mark.parametrize("students", [1, 12])
def test_an_assignment_is_settled_in_a_fixed_number_of_queries(
    students: int,
    assignment: Assignment,
    enrol: Callable[..., User],
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    allow(assignment, course_days=2, max_late_days=1)
    assignment.course.refresh_from_db()
    for number in range(students):
        team_for(user=enrol(f"S{number}"), assignment=assignment)
    with django_assert_num_queries(5):
        assert len(resolve_assignment(assignment).teams) == students


def uploaded(
    team: Team, by: User, times: Sequence[datetime], *, tested: Sequence[int] = ()
) -> list[Submission]:
    """Accepted uploads, numbered in this order; of ``tested`` numbers, such as are in test."""
    return Submission.objects.bulk_create(
        Submission(
            team=team,
            number=number,
            uploaded_by=by,
            uploaded_at=at,
            filename="agent.py",
            sha256=f"{number:064x}",
            size_bytes=1,
            status=SubmissionStatus.CHECKED if number in tested else SubmissionStatus.READY,
        )
        for number, at in enumerate(times, start=1)
    )


def test_everybody_is_settled_from_few_uploads_as_each_team_from_all_of_its_own(
    assignment: Assignment, course: Course, ida: User, enrol: Callable[..., User]
) -> None:
    chance = random.Random(7)  # noqa: S311 - the same rows each time
    early = create_section(course=course, by=ida, name="Early")
    set_section_dates(
        assignment=assignment, section=early, by=ida, due_at=assignment.due_at - 2 * DAY
    )
    for number in range(8):
        user = enrol(f"S{number}")
        team = team_for(user=user, assignment=assignment)
        Enrolment.objects.filter(user=user).update(section=chance.choice([early, None]))
        later = chance.choice([None, assignment.due_at + DAY])
        Team.objects.filter(pk=team.pk).update(extended_due_at=later)
        times = [assignment.due_at + chance.randint(-96, 96) * DAY / 24 for _ in range(5)]
        chosen = chance.choice(uploaded(team, user, times, tested=[chance.randint(1, 5), 5]))
        Choice.objects.create(team=team, submission=chosen, chosen_by=user, chosen_at=NOW)
    for rule, closes in product(DeadlineRule, (None, -3 * DAY, 3 * DAY)):
        closed_at = None if closes is None else assignment.due_at + closes
        allow(assignment, counts=rule, penalty_percent=40, secret_revealed_at=closed_at)
        resolutions = resolve_assignment(assignment).teams
        assert len(resolutions) == 8
        for team in Team.objects.select_related("assignment__course"):
            assert resolutions[team.pk] == resolution_of(team)


def test_of_uploads_in_time_for_everybody_only_the_last_is_read(
    assignment: Assignment, team: Team, ada: User
) -> None:
    times = [assignment.due_at + days * DAY for days in (-3, -2, -1, 1, 2)]
    times += [times[2] + DAY / 2, times[4] + DAY]
    uploads = uploaded(team, ada, times, tested=[6, 7])
    read = read_rows([assignment], None, frozenset()).uploads[team.pk]
    assert {upload.pk for upload in read} == {upload.pk for upload in uploads[2:5]}
