"""Courses and who is in them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from webapp.base.errors import NO_REASON, SAVED_ELSEWHERE, Refused
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import changed_values, record, record_all
from webapp.teaching.courses.locks import lock_course
from webapp.teaching.courses.models import Course, Enrolment, EnrolmentState, Role, Section
from webapp.teaching.courses.models.course import new_code
from webapp.teaching.courses.permissions import (
    require_course_maker,
    require_instructor,
    require_unarchived,
)
from webapp.teaching.courses.services.people import put_into_sections
from webapp.teaching.courses.services.staff import secure_staff


@transaction.atomic
def create_course(*, by: User, title: str, slug: str, **fields: Any) -> Course:
    """A new course with ``by`` as its instructor. Raises NotAllowed, ValidationError."""
    require_course_maker(by)
    course = Course(title=title, slug=slug, **fields)
    course.full_clean()
    course.save()
    Enrolment.objects.create(course=course, user=by, role=Role.INSTRUCTOR)
    record(ActKind.COURSE_CREATED, by=by, course=course, thing=title)
    return course


@transaction.atomic
def update_course(*, course: Course, by: User, **fields: Any) -> None:
    """Change the given values. Raises NotAllowed, ValidationError."""
    require_instructor(by, course)
    changed = changed_values(course, fields)
    for name, value in fields.items():
        setattr(course, name, value)
    course.full_clean()
    course.save(update_fields=list(fields))
    if changed["after"]:
        record(ActKind.COURSE_CHANGED, by=by, course=course, **changed)


@transaction.atomic
def renew_invite_code(*, course: Course, by: User) -> str:
    """A new invite code; the old one stops working."""
    require_instructor(by, course)
    course.invite_code = new_code()
    course.save(update_fields=["invite_code"])
    record(ActKind.INVITE_CODE_RENEWED, by=by, course=course)
    return course.invite_code


def course_of_code(invite_code: str) -> Course:
    """The course that a code, however it was typed, invites to. Raises Refused if there is none."""
    code = "".join(filter(str.isalnum, invite_code.upper()))
    course = Course.objects.filter(invite_code=code, deleted_at__isnull=True).first()
    if course is None:
        raise Refused("No course has this invite code. Check it for typing errors.")
    return course


def require_place(course: Course) -> None:
    """Raise Refused if the course is archived, or as many are enrolled as the instructor foresaw:
    the code may have leaked."""
    require_unarchived(course)
    if course.enrolments.active().count() >= course.places:
        raise Refused("This course is full. Ask your instructor to make room.")


@transaction.atomic
def enrol_by_code(*, user: User, invite_code: str, student_number: str = "") -> Course:
    """Enrol a person as a student. An existing enrolment does not change.

    Raises Refused for an unknown code and for a course that is full, and ValidationError.
    """
    course = course_of_code(invite_code)
    enrolment = course.enrolments.filter(user=user).first()
    if enrolment is not None and enrolment.state != EnrolmentState.ACTIVE:
        raise Refused("You have left this course. Ask your instructor to enrol you again.")
    if enrolment is not None:
        return course
    lock_course(course)  # the last place may be asked for twice
    require_place(course)
    draft = Enrolment(course=course, user=user, student_number=student_number.strip())
    draft.clean_fields()
    course.enrolments.get_or_create(user=user, defaults={"student_number": draft.student_number})
    return course


def _lock_value(enrolment: Enrolment, column: str, seen: str | None) -> None:
    """Lock the course and read the column again.

    ``seen``: the value that the person changes, as a form sends it. Raises Refused if it has
    changed since; ``None`` is any.
    """
    lock_course(enrolment.course)
    enrolment.refresh_from_db(fields=[column])
    if seen is not None and seen != str(getattr(enrolment, column) or ""):
        raise Refused(f"{SAVED_ELSEWHERE} Look at the new values, then save again.")


@transaction.atomic
def set_role(
    *, enrolment: Enrolment, by: User, role: Role, reason: str, seen: str | None = None
) -> None:
    """Change a person's role in the course; its last instructor stays one.

    An account whose address nobody has confirmed is taken back with a role above student.

    Raises NotAllowed; Refused without a reason, for the last instructor, and if it is not the role
    that was ``seen``.
    """
    course = enrolment.course
    require_instructor(by, course)
    if not reason.strip():
        raise Refused(NO_REASON)
    _lock_value(enrolment, "role", seen)
    others = course.enrolments.active().filter(role=Role.INSTRUCTOR).exclude(pk=enrolment.pk)
    if role != Role.INSTRUCTOR and not others.exists():
        raise Refused(
            "This is the course's only instructor. Make another person an instructor first."
        )
    before, enrolment.role = {"role": Role(enrolment.role).value}, role
    enrolment.save(update_fields=["role"])
    _record(ActKind.ROLE_CHANGED, enrolment, by, before, {"role": role.value}, reason=reason)
    if before["role"] != role.value:
        secure_staff(course=course, people=[enrolment.user_id], by=by, at=timezone.now())


@transaction.atomic
def set_student_number(
    *, enrolment: Enrolment, by: User, number: str, seen: str | None = None
) -> None:
    """Set a student's number: students set their own once, instructors correct it at any time.

    Raises NotAllowed; Refused for an empty one of one's own, for changing it, and if it is not the
    number that was ``seen``; ValidationError.
    """
    require_unarchived(enrolment.course)
    is_own = enrolment.user_id == by.pk
    if not is_own:
        require_instructor(by, enrolment.course)  # first: ``seen`` could be a guess
    _lock_value(enrolment, "student_number", seen)
    if is_own and enrolment.student_number:
        raise Refused("You have entered a student number already. Your instructor can correct it.")
    if is_own and not number.strip():
        raise Refused("Enter your student number first.")
    before, enrolment.student_number = enrolment.student_number, number.strip()
    enrolment.full_clean()
    enrolment.save(update_fields=["student_number"])
    after = {"student number": enrolment.student_number}
    _record(ActKind.NUMBER_CHANGED, enrolment, by, {"student number": before}, after)


@transaction.atomic
def set_section(
    *,
    enrolment: Enrolment,
    by: User,
    section: Section | None,
    more: Sequence[Section] = (),
    seen: str | None = None,
    at: datetime | None = None,
) -> None:
    """Put a person into a section of their course, into several, or into none.

    Raises NotAllowed; Refused for a section of another course, and if the person is not in the
    sections whose keys, with commas, were ``seen``.
    """
    require_instructor(by, enrolment.course)
    lock_course(enrolment.course)
    place = Enrolment.objects.with_sections().get(pk=enrolment.pk)
    if seen is not None and seen != place.section_keys:
        raise Refused(f"{SAVED_ELSEWHERE} Look at the new values, then save again.")
    wanted = [] if section is None else [section, *more]
    moment = at or timezone.now()
    record_all(put_into_sections(enrolment.course, [(place, wanted)], by=by, reason="", at=moment))
    enrolment.section = section


def _record(
    kind: ActKind,
    enrolment: Enrolment,
    by: User,
    before: dict[str, Any],
    after: dict[str, Any],
    *,
    reason: str = "",
) -> None:
    record(
        kind,
        by=by,
        course=enrolment.course,
        person=enrolment.user,
        before=before,
        after=after,
        reason=reason,
    )
