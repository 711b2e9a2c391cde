"""Regrade requests: a student asks about a released grade, staff answer with a reason."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from webapp.base.errors import Refused
from webapp.grading.gradebook.models import Outcome, RegradeRequest
from webapp.grading.gradebook.points import own_points_of
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.locks import lock_course
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.permissions import require_member, require_right
from webapp.teaching.courses.rights import Right


@transaction.atomic
def ask_regrade(
    *, assignment: Assignment, user: User, text: str, at: datetime | None = None
) -> RegradeRequest:
    """Ask staff to review the user's own grade. Raises NotAllowed, ValidationError, Refused."""
    require_member(user, assignment.course)
    lock_course(assignment.course)
    points = own_points_of(user, assignment)
    if points is None or points.is_held:
        raise Refused("You have no released grade to ask about.")
    if RegradeRequest.objects.filter(
        assignment=assignment, user=user, outcome=Outcome.OPEN
    ).exists():
        raise Refused("Your earlier request is still open. Staff have to answer it first.")
    request = RegradeRequest(
        assignment=assignment,
        user=user,
        text=text.strip(),
        asked_at=at or timezone.now(),
        points=points.total,
    )
    request.full_clean()
    request.save()
    record(ActKind.REGRADE_ASKED, by=user, person=user, thing=assignment, at=request.asked_at)
    return request


@transaction.atomic
def answer_regrade(
    *, request: RegradeRequest, by: User, outcome: Outcome, answer: str, at: datetime | None = None
) -> RegradeRequest:
    """Answer a request; points are not changed. Raises NotAllowed, ValidationError, Refused."""
    require_right(by, request.assignment.course, Right.GRADE, people=[request.user_id])
    if outcome == Outcome.OPEN:
        raise Refused("Choose a decision.")
    if not answer.strip():
        raise Refused("Give a reason: the student sees it.")
    now = at or timezone.now()
    still_open = RegradeRequest.objects.filter(pk=request.pk, outcome=Outcome.OPEN)
    if not still_open.update(
        outcome=outcome, answer=answer.strip()[:4000], answered_by=by, answered_at=now
    ):
        raise Refused("This request has been answered already.")
    request.refresh_from_db()
    record(
        ActKind.REGRADE_ANSWERED,
        by=by,
        person=request.user,
        thing=request.assignment,
        before={"outcome": Outcome.OPEN.label},
        after={"outcome": Outcome(outcome).label},
        reason=answer,
        at=now,
    )
    return request
