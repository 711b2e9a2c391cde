"""Points and comments by hand, each with who gave them, when and why."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.utils import timezone

from webapp.base.errors import CHANGED_SINCE, Refused
from webapp.grading.gradebook.models import ManualPoints
from webapp.grading.gradebook.points import Points, all_points
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.models import Act
from webapp.people.auditlog.services import act, record_all
from webapp.teaching.courses.locks import lock_course
from webapp.teaching.courses.models import Assignment, Enrolment, Membership, Role
from webapp.teaching.courses.permissions import require_right
from webapp.teaching.courses.rights import Right


@transaction.atomic
def set_points(
    *,
    enrolment: Enrolment,
    assignment: Assignment,
    by: User,
    points: Decimal | None,
    reason: str,
    replaces: bool = False,
    comment: str = "",
    with_partners: bool = False,
    at: datetime | None = None,
) -> list[ManualPoints]:
    """Give a student points by hand, a comment, or both; without either, withdraw them.

    ``replaces``: instead of points for games. ``with_partners``: for everybody in the team. Raises
    NotAllowed, ValidationError, Refused.
    """
    if enrolment.course_id != assignment.course_id or enrolment.role != Role.STUDENT:
        raise Refused("Only students of this course have points.")
    people = [enrolment.user_id, *(_partners(enrolment, assignment) if with_partners else ())]
    require_right(by, assignment.course, Right.GRADE, people=[enrolment.user_id])
    now = at or timezone.now()  # the same for all of them: they can be taken back together
    rows = [
        ManualPoints(
            assignment=assignment,
            user_id=user,
            points=points,
            replaces=replaces and points is not None,
            comment=comment.strip(),
            reason=reason.strip(),
            given_by=by,
            given_at=now,
        )
        for user in people
    ]
    return give_points(assignment, rows)


def _partners(enrolment: Enrolment, assignment: Assignment) -> Iterable[int]:
    team = Membership.objects.filter(assignment=assignment, user=enrolment.user).values("team")
    partners = Membership.objects.filter(team__in=team).exclude(user=enrolment.user)
    return partners.values_list("user_id", flat=True)


@transaction.atomic
def restore_points(
    *, given: ManualPoints, by: User, reason: str, at: datetime | None = None
) -> list[ManualPoints]:
    """Restore the earlier points of everyone who got these at that moment.

    Raises NotAllowed; Refused if one of them has got others since.
    """
    assignment = given.assignment
    lock_course(assignment.course)
    by_hand = ManualPoints.objects.filter(assignment=assignment, source="").order_by("-pk")
    together = by_hand.filter(given_at=given.given_at, given_by=given.given_by_id)
    users = sorted(together.values_list("user_id", flat=True))
    require_right(by, assignment.course, Right.GRADE, people=users)
    rows = [
        _earlier(list(by_hand.filter(user=user)[:2]), given.given_at, by, reason, at)
        for user in users
    ]
    return give_points(assignment, rows)


def _earlier(
    latest: Sequence[ManualPoints], given_at: datetime, by: User, reason: str, at: datetime | None
) -> ManualPoints:
    last, *before = latest
    if last.given_at != given_at:
        raise Refused(CHANGED_SINCE)
    return ManualPoints(
        assignment_id=last.assignment_id,
        user_id=last.user_id,
        points=before[0].points if before else None,
        replaces=before[0].replaces if before else False,
        comment=before[0].comment if before else "",
        reason=reason,
        given_by=by,
        given_at=at or timezone.now(),
    )


def give_points(assignment: Assignment, rows: Sequence[ManualPoints]) -> list[ManualPoints]:
    """Keep these rows and log each student's change, in a transaction. Raises ValidationError."""
    lock_course(assignment.course)
    for row in rows:
        row.full_clean()
    users = [row.user_id for row in rows]
    before = all_points([assignment], users)
    kept = ManualPoints.objects.bulk_create(rows)
    after = all_points([assignment], users)
    record_all(_act(row, before.get(key), after[key]) for row in kept if (key := _key(row)))
    return kept


def _key(row: ManualPoints) -> tuple[int, int]:
    return row.assignment_id, row.user_id


def _act(row: ManualPoints, before: Points | None, after: Points) -> Act:
    return act(
        ActKind.POINTS_GIVEN,
        by=row.given_by,
        person=row.user_id,
        thing=row.assignment,
        before=_values(before),
        after=_values(after),
        reason=row.reason,
        at=row.given_at,
    )


def _values(points: Points | None) -> dict[str, object]:
    total = None if points is None else points.total
    by_hand = None if points is None else points.by_hand
    return {
        "points": None if total is None else f"{total:.2f}",
        "comment": "" if by_hand is None else by_hand.comment,
    }
