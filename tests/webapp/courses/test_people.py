"""People of a course: many changed at once, leaving, coming back, and what they may do then."""

import pytest

from tests.webapp.conftest import NOW
from webapp.base.errors import NotAllowed, Refused
from webapp.flow.pipeline import accept
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.gradebook.students import students_like
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.people.auditlog.models import Act
from webapp.teaching.courses.models import Assignment, Course, Enrolment, EnrolmentState, Role, Team
from webapp.teaching.courses.permissions import viewer_in
from webapp.teaching.courses.services import change_people, create_section, enrol_by_code

pytestmark = pytest.mark.django_db

WHY = "Asked for it by e-mail"


def place_of(course: Course, user: User) -> Enrolment:
    return course.enrolments.get(user=user)


def leave(course: Course, by: User, user: User, state: EnrolmentState) -> None:
    change_people(
        course=course, by=by, enrolments=[place_of(course, user)], state=state, reason=WHY
    )


def test_many_are_put_into_a_section_at_once(
    course: Course, ida: User, ada: User, ben: User
) -> None:
    section = create_section(course=course, by=ida, name="Monday")
    places = list(course.enrolments.filter(role=Role.STUDENT))
    assert change_people(course=course, by=ida, enrolments=places, section=section) == 2
    assert change_people(course=course, by=ida, enrolments=list(section.enrolments.all()),
                         section=section) == 0  # fmt: skip
    assert set(section.enrolments.values_list("user", flat=True)) == {ada.pk, ben.pk}


def test_a_change_applies_to_people_whom_other_staff_changed_meanwhile(
    course: Course, ida: User, ada: User
) -> None:
    read_before, section = place_of(course, ada), create_section(course=course, by=ida, name="Mon")
    change_people(course=course, by=ida, enrolments=[place_of(course, ada)], section=section)
    assert change_people(course=course, by=ida, enrolments=[read_before], no_section=True) == 1
    assert place_of(course, ada).section is None


@pytest.mark.parametrize("state", [EnrolmentState.WITHDRAWN, EnrolmentState.REMOVED])
def test_a_person_who_left_may_do_nothing_until_enrolled_again(
    state: EnrolmentState, course: Course, ida: User, ada: User, assignment: Assignment, team: Team
) -> None:
    leave(course, ida, ada, state)
    assert viewer_in(ada, course).role is None
    assert not Course.objects.visible_to(ada).exists()
    assert not Assignment.objects.visible_to(ada).exists()
    with pytest.raises(NotAllowed):
        accept(team=team, by=ada, filename="mine.py", data=b"", at=NOW)
    with pytest.raises(Refused, match="Ask your instructor"):
        enrol_by_code(user=ada, invite_code=course.invite_code)
    leave(course, ida, ada, EnrolmentState.ACTIVE)
    assert viewer_in(ada, course).role == Role.STUDENT
    assert list(team.users.all()) == [ada]


def test_work_and_grades_of_a_person_who_left_are_kept(
    course: Course, ida: User, ada: User, assignment: Assignment, graded: Evaluation
) -> None:
    leave(course, ida, ada, EnrolmentState.WITHDRAWN)
    [student] = students_like(course)
    assert (student.user, student.words) == (ada, "student, withdrawn")
    leave(course, ida, ada, EnrolmentState.REMOVED)
    assert not students_like(course)
    leave(course, ida, ada, EnrolmentState.ACTIVE)
    assert Submission.objects.filter(team__users=ada).exists()
    assert list(students_like(course)) == [place_of(course, ada)]


def test_a_role_or_a_state_changes_with_a_reason_alone(
    course: Course, ida: User, ada: User
) -> None:
    place = place_of(course, ada)
    for change in ({"role": Role.ASSISTANT}, {"state": EnrolmentState.REMOVED}):
        with pytest.raises(Refused, match="reason"):
            change_people(course=course, by=ida, enrolments=[place], reason=" ", **change)


def test_each_change_is_in_the_log_with_its_reason(course: Course, ida: User, ada: User) -> None:
    leave(course, ida, ada, EnrolmentState.REMOVED)
    row = Act.objects.get(kind="people.state")
    assert (row.by, row.person, row.reason) == (ida, ada, WHY)
    assert (row.before, row.after) == ({"state": "active"}, {"state": "removed"})


@pytest.mark.parametrize("change", [{"role": Role.STUDENT}, {"state": EnrolmentState.REMOVED}])
def test_the_last_instructor_cannot_be_removed_or_demoted(
    change: dict[str, Role | EnrolmentState], course: Course, ida: User, ada: User
) -> None:
    places = list(course.enrolments.all())
    with pytest.raises(Refused, match="instructor"):
        change_people(course=course, by=ida, enrolments=places, reason=WHY, **change)  # type: ignore[arg-type]
    assert viewer_in(ida, course).role == Role.INSTRUCTOR
    assert place_of(course, ada).state == EnrolmentState.ACTIVE
