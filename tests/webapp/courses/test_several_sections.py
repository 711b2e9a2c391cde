"""People in several sections: dates go by the later one, lists and rights by either."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.webapp.conftest import NOW
from tests.webapp.courses.roster.test_importing import bring_in, entry
from tests.webapp.courses.test_correcting import place_of
from webapp.base.errors import Refused
from webapp.flow.undoing import acts_of_moment, undo
from webapp.grading.gradebook.students import students_like
from webapp.grading.gradebook.work import Work
from webapp.people.accounts.models import User
from webapp.people.auditlog.models import Act
from webapp.teaching.courses.models import Assignment, Course, Role, Section, Team
from webapp.teaching.courses.people import WantedPeople, people_like, sections_of
from webapp.teaching.courses.permissions import viewer_in
from webapp.teaching.courses.releases import held_students, is_released
from webapp.teaching.courses.resolution import resolution_for
from webapp.teaching.courses.roster.planning import ImportOutcome, plan_import
from webapp.teaching.courses.services import (
    create_section,
    delete_section,
    release_grades,
    set_looks_after,
    set_section,
    set_section_dates,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def lecture(course: Course, ida: User) -> Section:
    return create_section(course=course, by=ida, name="Lecture")


@pytest.fixture
def lab(course: Course, ida: User) -> Section:
    return create_section(course=course, by=ida, name="Lab, Tuesday")


@pytest.fixture
def both(ida: User, ada: User, lecture: Section, lab: Section) -> User:
    set_section(enrolment=place_of(ada), by=ida, section=lecture, more=[lab])
    return ada


def names(user: User) -> list[str]:
    return [section.name for section in place_of(user).sections]


@pytest.mark.parametrize(("of_lecture", "of_lab"), [(2, 5), (5, 2), (-2, None)])
def test_dates_go_by_the_later_section(
    of_lecture: int, of_lab: int | None, both: User, ida: User, assignment: Assignment,
    lecture: Section, lab: Section,
) -> None:  # fmt: skip
    due = assignment.due_at
    for section, days in ((lecture, of_lecture), (lab, of_lab)):
        if days is not None:
            moved = {"due_at": due + timedelta(days=days)}
            set_section_dates(assignment=assignment, section=section, by=ida, **moved)
    later = max(of_lecture, of_lab or 0)
    assert resolution_for(both, assignment).deadline.due_at == due + timedelta(days=later)


def test_lists_show_a_person_in_either_section_once(
    course: Course, assignment: Assignment, both: User, lecture: Section, lab: Section
) -> None:
    for section in (lecture, lab):
        found = people_like(course, WantedPeople(section=str(section.pk)))
        assert [place.user for place in found] == [both]
        rows = Work([assignment]).roster(section=str(section.pk))
        assert [row.user for row in rows] == [both.pk]
        assert [place.user for place in students_like(course, section.name)] == [both]
    assert [section.n_students for section in sections_of(course)] == [1, 1]  # type: ignore[attr-defined]


@pytest.mark.parametrize("which", ["Lecture", "Lab, Tuesday"])
def test_staff_of_either_section_act_for_its_people(
    which: str, course: Course, both: User, ida: User, ben: User, enrol: Callable[..., User]
) -> None:
    course.staff_keep_to_sections = True
    course.save()
    cleo = enrol("Cleo", role=Role.ASSISTANT)
    section = course.sections.get(name=which)
    set_looks_after(enrolment=place_of(cleo), by=ida, sections=[section])
    assert viewer_in(cleo, course).may_act_for([both.pk])
    assert not viewer_in(cleo, course).may_act_for([ben.pk])


@pytest.mark.parametrize("which", ["Lecture", "Lab, Tuesday"])
def test_grades_released_to_either_section_are_seen(
    which: str, course: Course, both: User, ida: User, assignment: Assignment, team: Team
) -> None:
    assignment.holds_grades = True
    assignment.save()
    team.refresh_from_db()
    assert not is_released(team)
    release_grades(assignment=assignment, by=ida, section=course.sections.get(name=which), at=NOW)
    assert is_released(team)
    team.memberships.all().delete()
    assert both.pk not in held_students(assignment)


def test_the_page_of_a_section_that_is_deleted_leaves_the_other(
    both: User, ida: User, lecture: Section
) -> None:
    assert delete_section(section=lecture, by=ida, reason="No lecture") == 1
    assert names(both) == ["Lab, Tuesday"]


def test_a_change_of_sections_is_undone(both: User, course: Course, ida: User) -> None:
    set_section(enrolment=place_of(both), by=ida, section=None)
    assert names(both) == []
    last = Act.objects.filter(kind="people.section").latest("pk")
    undo(acts_of_moment(last.pk, by=ida), course=course, by=ida)
    assert names(both) == ["Lecture", "Lab, Tuesday"]


def test_a_form_that_shows_other_sections_changes_nothing(both: User, ida: User) -> None:
    seen = str(place_of(both).section_id)
    with pytest.raises(Refused, match="new values"):
        set_section(enrolment=place_of(both), by=ida, section=None, seen=seen)


def test_lines_of_one_person_in_two_sections_are_one_person(
    course: Course, ida: User, ada: User
) -> None:
    people = [
        entry("Ada", section="Lecture"),
        entry("Ada", line=3, section="Lab 1"),
        entry("Dan", line=4, section="Lecture"),
        entry("Dan", line=5, section="Lab 2"),
    ]
    plan = plan_import(course, people)
    assert [line.outcome for line in plan.lines] == [ImportOutcome.CHANGED, ImportOutcome.ADDED]
    bring_in(course, ida, *people)
    dan = User.objects.get(email="dan@uni.example")
    assert (names(ada), names(dan)) == (["Lecture", "Lab 1"], ["Lecture", "Lab 2"])
    again = [*reversed(people[:2]), *people[2:]]
    assert [line.outcome for line in plan_import(course, again).lines] == [ImportOutcome.SAME] * 2


def test_lines_of_one_person_that_contradict_one_another_are_wrong(course: Course) -> None:
    people = [
        entry("Dan", section="Lecture", number="1"),
        entry("Dan", line=3, section="Lab", number="2"),
    ]
    assert {line.outcome for line in plan_import(course, people).lines} == {ImportOutcome.WRONG}


def test_withdrawn_people_of_a_list_are_not_enrolled(
    course: Course, ida: User, ada: User, ben: User
) -> None:
    gone = {"is_withdrawn": True}
    people = [entry("Ada", **gone), entry("Dan", line=3, **gone), entry("Ben", line=4)]
    plan = plan_import(course, people)
    outcomes = [line.outcome for line in plan.lines]
    assert outcomes == [ImportOutcome.CHANGED, ImportOutcome.SAME, ImportOutcome.SAME]
    assert plan.missing == ()
    bring_in(course, ida, *people)
    assert place_of(ada).state == "withdrawn"
    assert not User.objects.filter(email="dan@uni.example").exists()
    assert [line.outcome for line in plan_import(course, people).lines] == [ImportOutcome.SAME] * 3


def test_a_section_that_a_person_has_left_is_no_withdrawal(course: Course, ida: User) -> None:
    people = [
        entry("Dan", section="Lab 1", is_withdrawn=True),
        entry("Dan", line=3, section="Lab 2"),
    ]
    bring_in(course, ida, *people)
    assert names(User.objects.get(email="dan@uni.example")) == ["Lab 2"]
