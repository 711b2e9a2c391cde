"""A copy has what staff decided, on the same weekdays and times, and nothing of students."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError

from tests.webapp.conftest import another
from webapp.base.errors import NotAllowed
from webapp.flow.lifecycle.services.copying import (
    CopyPlan,
    Parts,
    copy_assignment,
    copy_course,
    planned_dates,
    shift_to,
)
from webapp.people.accounts.models import User
from webapp.teaching.announcements import services as announcements
from webapp.teaching.courses.models import Assignment, Course, Role, Section, SectionDates, Team
from webapp.teaching.courses.services import create_section, set_section_dates

BERLIN = ZoneInfo("Europe/Berlin")
AUTUMN = date(2026, 10, 12)


def plan(parts: Parts | None = None, **values: object) -> CopyPlan:
    named = {"title": "Games again", "slug": "games-2", "term": "Autumn", "begins": AUTUMN}
    return CopyPlan(parts=parts or Parts(), **(named | values))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((2026, 3, 10, 18, 0), (2026, 10, 13, 18, 0)),
        ((2026, 3, 31, 23, 59), (2026, 11, 3, 23, 59)),
        ((2026, 3, 24, 0, 30), (2026, 10, 27, 0, 30)),
    ],
)
def test_dates_keep_weekday_and_time_across_the_changes_of_the_clock(
    before: tuple[int, ...], after: tuple[int, ...]
) -> None:
    first = datetime(2026, 3, 10, 12, tzinfo=BERLIN)
    shift = shift_to(first, AUTUMN, BERLIN)
    moved = shift.moved(datetime(*before, tzinfo=BERLIN).astimezone(UTC))  # type: ignore[misc]
    assert moved.astimezone(BERLIN).replace(tzinfo=None) == datetime(*after)  # type: ignore[arg-type] # noqa: DTZ001


def test_a_time_that_the_clock_skips_becomes_a_later_one() -> None:
    first = datetime(2026, 10, 11, 2, 30, tzinfo=BERLIN)
    moved = shift_to(first, date(2027, 3, 28), BERLIN).moved(first)
    assert moved.astimezone(BERLIN) == datetime(2027, 3, 28, 3, 30, tzinfo=BERLIN)


@pytest.mark.django_db
def test_a_copy_has_what_staff_decided_and_nothing_of_students(
    course: Course, assignment: Assignment, team: Team, ida: User
) -> None:
    assignment.board_lines, assignment.grace_minutes = ["iggi"], 15
    assignment.save()
    copy = copy_course(course=course, by=ida, plan=plan())
    new = copy.assignments.get()
    assert (new.slug, new.options, new.n_games) == ("hanabi", assignment.options, 20)
    assert (new.board_lines, new.grace_minutes) == (["iggi"], 15)
    assert new.grading == assignment.grading
    assert (copy.timezone, copy.slug, copy.term) == ("Europe/Berlin", "games-2", "Autumn")
    assert new.secret_revealed_at is None
    assert bytes(new.secret) != bytes(assignment.secret)
    assert new.commitment != assignment.commitment
    assert copy.invite_code != course.invite_code
    assert [place.role for place in copy.enrolments.all()] == [Role.INSTRUCTOR]
    assert not new.teams.exists()


@pytest.mark.django_db
def test_sections_are_copied_with_their_dates(
    course: Course, assignment: Assignment, ida: User
) -> None:
    monday = create_section(course=course, by=ida, name="Monday")
    set_section_dates(
        assignment=assignment, section=monday, by=ida, due_at=assignment.due_at, grace_minutes=5
    )
    copy = copy_course(course=course, by=ida, plan=plan())
    dates = SectionDates.objects.get(section__course=copy)
    assert (dates.section.name, dates.grace_minutes) == ("Monday", 5)
    assert dates.due_at == copy.assignments.get().due_at
    bare = copy_course(course=course, by=ida, plan=plan(Parts(sections=False), slug="bare"))
    assert not Section.objects.filter(course=bare).exists()


@pytest.mark.django_db
def test_parts_are_left_out_as_chosen(course: Course, assignment: Assignment, ida: User) -> None:
    announcements.post(course=course, by=ida, title="Hello", text="All", at=assignment.opens_at)
    assignment.board_lines, assignment.penalty_percent = ["iggi"], 10
    assignment.save()
    none = Parts(late_policy=False, board_lines=False, scheme=False)
    copy = copy_course(course=course, by=ida, plan=plan(none))
    new = copy.assignments.get()
    assert (new.board_lines, new.penalty_percent) == ([], 0)
    assert not copy.announcements.exists()
    told = copy_course(course=course, by=ida, plan=plan(Parts(announcements=True), slug="told"))
    assert [row.title for row in told.announcements.all()] == ["Hello"]


@pytest.mark.django_db
def test_without_its_scheme_a_copy_has_the_one_of_a_new_assignment_of_the_game(
    course: Course, assignment: Assignment, ida: User
) -> None:
    hearts = another(course, ida, "hearts", game="hearts", options={"variant": "standard"})
    copy = copy_course(course=course, by=ida, plan=plan(Parts(scheme=False)))
    assert copy.assignments.get(slug="hearts").grading == hearts.grading
    where = {"to": copy, "by": ida, "title": "B", "begins": AUTUMN, "parts": Parts(scheme=False)}
    assert copy_assignment(assignment=hearts, slug="b", **where).grading == hearts.grading  # type: ignore[arg-type]


@pytest.mark.django_db
def test_an_assignment_can_be_copied_to_another_course(
    course: Course, assignment: Assignment, ida: User
) -> None:
    other = copy_course(course=course, by=ida, plan=plan())
    where = {"assignment": assignment, "to": other, "by": ida, "title": "B", "begins": AUTUMN}
    new = copy_assignment(slug="b", **where)  # type: ignore[arg-type]
    assert new.course == other
    assert new.opens_at.astimezone(course.tz).date().isocalendar()[1] == AUTUMN.isocalendar()[1]
    with pytest.raises(ValidationError, match="short name"):
        copy_assignment(slug="b", **where)  # type: ignore[arg-type]


@pytest.mark.django_db
def test_a_preview_says_the_dates_of_the_copy(
    course: Course, assignment: Assignment, ida: User
) -> None:
    told = [(opens, due) for _, opens, due in planned_dates([assignment], AUTUMN)]
    new = copy_course(course=course, by=ida, plan=plan()).assignments.get()
    assert told == [(new.opens_at, new.due_at)]


@pytest.mark.django_db
def test_only_its_instructor_copies_a_course(course: Course, ada: User, outsider: User) -> None:
    for user in (ada, outsider):
        with pytest.raises(NotAllowed):
            copy_course(course=course, by=user, plan=plan())
