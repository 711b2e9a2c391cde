"""Acts that follow from launches: accounts, enrolments, links between courses."""

from django.db import transaction

from webapp.base.errors import Refused
from webapp.flow.lti.launches import Launch, Place, assignment_of, linked_course_of
from webapp.flow.lti.models import LinkedAssignment, LinkedCourse, Platform, Score
from webapp.people.accounts.identities import (
    Joined,
    account_of,
    add_identity,
    confirm_address,
    join_account,
)
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.locks import lock_course
from webapp.teaching.courses.models import Assignment, Course, Enrolment, EnrolmentState, Role
from webapp.teaching.courses.permissions import require_instructor, require_unarchived
from webapp.teaching.courses.services.courses import require_place


@transaction.atomic
def arrive(launch: Launch) -> tuple[Joined, Course | Assignment | None]:
    """Return the account of the person who launches, and the target of the link.

    ``None`` is opened if a teacher is to link the course first.
    """
    joined = account_for(launch)
    if launch.is_staff and linked_course_of(launch.place) is None:
        return joined, None
    return joined, enter_course(launch=launch, user=joined.user)


def account_for(launch: Launch) -> Joined:
    """Return the account of the person who launches; create it if there is none.

    Raises Refused for an address that the platform may not vouch for, and ValidationError.
    """
    known = account_of(launch.identity) or _account_made_meanwhile(launch)
    if known is not None:
        return Joined(known)
    joined = join_account(launch.identity)
    if joined is not None:
        return joined
    if linked_course_of(launch.place) is None and not launch.is_staff:
        raise Refused(_not_linked(launch))
    user = User.objects.create_user(launch.identity.email, display_name=launch.identity.name)
    confirm_address(user)
    add_identity(user=user, identity=launch.identity)
    return Joined(user)


def _account_made_meanwhile(launch: Launch) -> User | None:
    """Let new people of a platform in one by one: a link may have been opened twice at once."""
    Platform.objects.select_for_update(no_key=True).get(pk=launch.platform.pk)
    return account_of(launch.identity)


def enter_course(*, launch: Launch, user: User) -> Course | Assignment:
    """Enrol a new person who launches as a student; return the target of the link.

    Raises Refused if the course is not linked, archived or full; for a person who has left it; and
    for teachers of the platform who are not staff here.
    """
    linked = linked_course_of(launch.place)
    if linked is None:
        raise Refused(_not_linked(launch))
    _enrol(launch, linked.course, user)
    assignment = assignment_of(launch.place, linked)
    if linked.course.archived_at is None:
        if launch.is_staff:
            _remember(linked, launch.place)
        if assignment is not None:
            _remember_link(linked, launch.place, assignment)
    return assignment or linked.course


@transaction.atomic
def link_course(*, place: Place, course: Course, by: User) -> LinkedCourse:
    """Link a platform's course with one of ours. Raises NotAllowed, Refused.

    The caller has checked that ``by`` teaches in the platform's course.
    """
    require_instructor(by, course)
    linked, is_new = LinkedCourse.objects.get_or_create(
        platform=Platform.objects.get(pk=place.platform),
        deployment_id=place.deployment_id,
        context_id=place.context_id,
        defaults={
            "course": course,
            "title": place.title,
            "memberships_url": place.memberships_url,
            "linked_by": by,
        },
    )
    if linked.course != course:
        raise Refused(
            f"{linked.linked_by} has linked {linked} with another course here. If that is wrong,"
            " ask this site's operator to remove the link."
        )
    if is_new:
        record(ActKind.PLATFORM_LINKED, by=by, course=course, thing=linked)
    return linked


def _not_linked(launch: Launch) -> str:
    return (
        f"This course of {launch.platform.name} is not linked with Firebox yet. Its instructor"
        " links it by opening this link once."
    )


def _enrol(launch: Launch, course: Course, user: User) -> None:
    place = course.enrolments.filter(user=user).first()
    if place is not None and place.state != EnrolmentState.ACTIVE:
        raise Refused("You have left this course. Ask your instructor to enrol you again.")
    if place is not None or user.is_superuser:
        return
    if launch.is_staff:
        raise Refused(
            f"You are not on the staff of {course} here. Ask its instructor to add you to the list"
            " of people."
        )
    require_unarchived(course)
    lock_course(course)  # the last place, or this one, may be asked for twice at once
    if course.enrolments.filter(user=user).exists():
        return
    require_place(course)
    Enrolment.objects.create(course=course, user=user, role=Role.STUDENT)
    record(
        ActKind.PERSON_ADDED,
        by=None,
        course=course,
        person=user,
        after={"role": Role.STUDENT.value},
        reason=f"Came from {launch.platform.name}",
    )


def _remember(linked: LinkedCourse, place: Place) -> None:
    LinkedCourse.objects.filter(pk=linked.pk).update(
        memberships_url=place.memberships_url, title=place.title
    )


def _remember_link(linked: LinkedCourse, place: Place, assignment: Assignment) -> None:
    if place.lineitem_url:
        sent = Score.objects.filter(
            link__linked_course=linked, link__resource_link_id=place.resource_link_id
        )
        sent.exclude(link__lineitem_url=place.lineitem_url).delete()
    LinkedAssignment.objects.update_or_create(
        linked_course=linked,
        resource_link_id=place.resource_link_id,
        defaults={"assignment": assignment, "lineitem_url": place.lineitem_url},
    )
