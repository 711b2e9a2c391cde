"""Add and change people from a file, all lines or none."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone

from webapp.base.errors import Refused
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.models import Act
from webapp.people.auditlog.services import act, record_all
from webapp.teaching.courses.locks import lock_course
from webapp.teaching.courses.models import Course, Enrolment, EnrolmentState, Section
from webapp.teaching.courses.permissions import require_instructor
from webapp.teaching.courses.roster.formats import RosterEntry
from webapp.teaching.courses.roster.planning import (
    ADDRESS,
    NAME,
    ImportOutcome,
    Planned,
    RosterPlan,
    plan_import,
)
from webapp.teaching.courses.services.correcting import correct_account
from webapp.teaching.courses.services.inviting import send_invitations
from webapp.teaching.courses.services.people import (
    change_people,
    put_into_sections,
    require_instructor_left,
)
from webapp.teaching.courses.services.staff import secure_staff

_CHANGE_KINDS = {
    "state": ActKind.STATE_CHANGED,
    "role": ActKind.ROLE_CHANGED,
    "student number": ActKind.NUMBER_CHANGED,
}


@transaction.atomic
def import_people(
    *,
    course: Course,
    by: User,
    entries: Sequence[RosterEntry],
    previewed: str,
    skip_wrong: bool = False,
    withdraw_missing: bool = False,
    lower: Collection[int] = (),
    invite: bool = True,
    reason: str = "",
    at: datetime | None = None,
) -> RosterPlan:
    """Apply the plan for these entries, and return it.

    ``previewed`` is the digest of the plan that ``by`` has seen; ``lower`` are the enrolments that
    get a lower role if the file says so. Raises NotAllowed; Refused if the course has changed
    since, if lines are wrong and not to be skipped, if students who are not in the file are to be
    withdrawn without a reason or beside wrong lines, and if no instructor were left.
    """
    require_instructor(by, course)
    lock_course(course)
    plan = _current_plan(course, entries, previewed)
    _require_usable(plan, skip_wrong=skip_wrong, withdraw_missing=withdraw_missing)
    plan.lower(lower)
    now = at or timezone.now()
    added = _carry_out(course, plan, by, reason.strip() or "Imported from a file", now)
    if withdraw_missing and plan.missing:
        change_people(
            course=course,
            by=by,
            enrolments=plan.missing,
            state=EnrolmentState.WITHDRAWN,
            reason=reason,
            at=now,
        )
    require_instructor_left(course)
    if invite:
        send_invitations(course, added, by, now)
    return plan


def _carry_out(course: Course, plan: RosterPlan, by: User, reason: str, at: datetime) -> list[User]:
    """Add and change people, and the sections that they need first; return whom to invite.

    Without those who are invited because their account was taken back.
    """
    sections = _sections(course, plan, by, reason, at)
    added = _add(course, plan.of(ImportOutcome.ADDED), sections, by, reason, at)
    _change(course, plan.of(ImportOutcome.CHANGED), sections, by, reason, at)
    corrected = _correct(course, plan.of(ImportOutcome.CHANGED), by, reason, at)
    given = {user.pk for user in added} | _given_roles(plan)
    taken = secure_staff(course=course, people=given, by=by, at=at)
    return [user for user in added if user not in taken] + corrected


def _given_roles(plan: RosterPlan) -> set[int]:
    lines = [line for line in plan.lines if line.gives_staff_role]
    return {line.enrolment.user_id for line in lines if line.enrolment is not None}


def _current_plan(course: Course, entries: Sequence[RosterEntry], previewed: str) -> RosterPlan:
    plan = plan_import(course, entries)
    if plan.digest != previewed:
        raise Refused("The list of people has changed since this preview. Look at it again.")
    return plan


def _require_usable(plan: RosterPlan, *, skip_wrong: bool, withdraw_missing: bool) -> None:
    if not plan.of(ImportOutcome.WRONG):
        return
    if not skip_wrong:
        raise Refused("Some lines have errors: correct the file, or skip these lines.")
    if withdraw_missing:
        raise Refused(
            "A line with an error may be about a student who seems to be missing: correct the file"
            " before you mark students as withdrawn."
        )


def _sections(
    course: Course, plan: RosterPlan, by: User, reason: str, at: datetime
) -> dict[str, Section]:
    made = Section.objects.bulk_create(
        Section(course=course, name=name) for name in plan.new_sections
    )
    record_all(
        act(ActKind.SECTION_CREATED, by=by, course=course, thing=section, reason=reason, at=at)
        for section in made
    )
    return {section.name: section for section in course.sections.all()}


def _add(
    course: Course,
    lines: Sequence[Planned],
    sections: dict[str, Section],
    by: User,
    reason: str,
    at: datetime,
) -> list[User]:
    """Enrol people. Those without an account get one that waits for their invitation."""
    User.objects.bulk_create(
        (
            User(
                email=line.entry.email,
                display_name=line.entry.name,
                password=make_password(None),
            )
            for line in sorted(lines, key=lambda line: line.entry.email)
            if line.account is None
        ),  # in one order: two imports that wait for each other's people would do so for ever
        ignore_conflicts=True,  # another course's import, or the person, may have made one since
    )
    emails = [line.entry.email for line in lines]
    users = {user.email: user for user in User.objects.filter(email__in=emails)}
    places = Enrolment.objects.bulk_create(
        Enrolment(
            course=course,
            user=users[line.entry.email],
            role=line.role,
            section=sections.get(line.entry.section),
            student_number=line.entry.number,
        )
        for line in lines
    )
    _add_further_sections(lines, places, sections)
    record_all(_added(course, line, users[line.entry.email], by, reason, at) for line in lines)
    return list(users.values())


def _add_further_sections(
    lines: Sequence[Planned], places: Sequence[Enrolment], sections: dict[str, Section]
) -> None:
    further = Enrolment.more_sections.through
    further.objects.bulk_create(
        further(enrolment_id=place.pk, section_id=sections[name].pk)
        for line, place in zip(lines, places, strict=True)
        for name in line.entry.more_sections
    )


def _added(course: Course, line: Planned, user: User, by: User, reason: str, at: datetime) -> Act:
    after = {
        "role": line.role.value,
        "section": line.entry.section_words or None,
        "student number": line.entry.number or None,
    }
    return act(
        ActKind.PERSON_ADDED, by=by, course=course, person=user, after=after, reason=reason, at=at
    )


def _change(
    course: Course,
    lines: Sequence[Planned],
    sections: dict[str, Section],
    by: User,
    reason: str,
    at: datetime,
) -> None:
    places, moved = [], []
    acts: list[Act] = []
    for line in lines:
        if (enrolment := line.enrolment) is None:
            continue
        if line.entry.is_withdrawn:
            if any(change.field == "state" for change in line.changes):
                enrolment.state = EnrolmentState.WITHDRAWN
        else:
            enrolment.state = EnrolmentState.ACTIVE
            enrolment.role = line.role
            enrolment.student_number = line.entry.number or enrolment.student_number
            if line.entry.section:
                moved.append((enrolment, [sections[name] for name in line.entry.sections]))
        places.append(enrolment)
        acts += _changed(course, line, enrolment, by, reason, at)
    Enrolment.objects.bulk_update(places, ["state", "role", "student_number"], 200)
    acts += put_into_sections(course, moved, by=by, reason=reason, at=at)
    record_all(acts)


def _correct(
    course: Course, lines: Sequence[Planned], by: User, reason: str, at: datetime
) -> list[User]:
    corrected = [(line, line.corrections) for line in lines if line.account and line.corrections]
    return [
        User.objects.get(pk=line.account.pk)
        for line, values in corrected
        if line.account is not None
        and correct_account(
            course=course,
            user=line.account,
            by=by,
            name=values.get(NAME, line.account.display_name),
            email=values.get(ADDRESS, line.account.email),
            reason=reason,
            at=at,
        )
    ]


def _changed(
    course: Course, line: Planned, enrolment: Enrolment, by: User, reason: str, at: datetime
) -> Iterable[Act]:
    return [
        act(
            _CHANGE_KINDS[change.field],
            by=by,
            course=course,
            person=enrolment.user_id,
            before={change.field: change.before or None},
            after={change.field: change.after or None},
            reason=reason,
            at=at,
        )
        for change in line.changes
        if change.field in _CHANGE_KINDS  # ``correct_account`` records the others
    ]
