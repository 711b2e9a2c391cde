"""Send points to platforms: queue changes, send them on a worker, try again, give up."""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone
from pylti1p3.assignments_grades import AssignmentsGradesService
from pylti1p3.grade import Grade
from pylti1p3.service_connector import ServiceConnector

from webapp.base.errors import Refused
from webapp.flow.lti.models import LinkedAssignment, Score, differs
from webapp.flow.lti.platforms import SERVICE_ERRORS, connector_of
from webapp.flow.lti.points import Seen, full_points, maximum_of, seen_points
from webapp.flow.lti.refusals import is_hopeless, reason_of
from webapp.flow.lti.results import read_results
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.permissions import require_instructor

logger = logging.getLogger(__name__)

PAUSES: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 480))
"""The wait between attempts. After the last one, points wait until staff send them again."""
_LEASE: Final = timedelta(minutes=10)
"""A worker that took points and ended without a word is followed by another after that."""
_BATCH: Final = 200
_SWEEP: Final = timedelta(minutes=10)
_NO_COLUMN: Final = "No link to this assignment has a column for points yet."
_UNKNOWN: Final = "The student’s account is not linked with the platform any more."
_SCOPE: Final = "https://purl.imsglobal.org/spec/lti-ags/scope/score"


def links_of(assignment: Assignment) -> "QuerySet[LinkedAssignment]":
    """Return the links that have a column, with counts ``waiting``, ``sent``, ``failed``,
    ``other`` (taken, but not shown as they were sent) and ``over`` (more than the maximum)."""
    counts = {state.value: Count("scores", filter=Q(scores__state=state)) for state in Score.State}
    counts["other"] = Count("scores", filter=differs("scores__"))
    counts["over"] = Count("scores", filter=Q(scores__points__gt=F("scores__maximum")))
    counts["accepted"] = Count("scores", filter=Q(scores__state="sent") & ~differs("scores__"))
    links = assignment.linked_assignments.exclude(lineitem_url="")
    return links.select_related("linked_course__platform").annotate(**counts)


def failed_scores(assignment: Assignment) -> "QuerySet[Score]":
    """Return the points that were given up, with their students."""
    failed = Score.objects.filter(link__assignment=assignment, state=Score.State.FAILED)
    return failed.select_related("user", "link__linked_course__platform").order_by(
        "user__display_name", "pk"
    )


def other_scores(assignment: Assignment) -> "QuerySet[Score]":
    """Return the points that a platform took and does not show as they were sent."""
    rows = Score.objects.filter(differs(), link__assignment=assignment).select_related("user")
    return rows.order_by("user__display_name", "pk")


def has_waiting(assignment: Assignment) -> bool:
    """Return whether points wait to be sent."""
    return Score.objects.filter(link__assignment=assignment, state=Score.State.WAITING).exists()


@transaction.atomic
def send_scores(*, assignment: Assignment, by: User, at: datetime | None = None) -> int:
    """Queue the points that platforms do not have yet or refused; return how many.

    Raises NotAllowed; Refused if no link has a column.
    """
    require_instructor(by, assignment.course)
    if not (links := list(links_of(assignment))):
        raise Refused(_NO_COLUMN)
    now = at or timezone.now()
    queued = sum(queue_changes(link, at=now) for link in links) + _queue_again(
        assignment, Q(state=Score.State.FAILED), now
    )
    record(ActKind.SCORES_SENT, by=by, thing=assignment, after={"students": queued})
    return queued


@transaction.atomic
def set_keeps_sending(*, assignment: Assignment, by: User, keeps: bool) -> None:
    """Switch the automatic sending of points on or off. For instructors."""
    require_instructor(by, assignment.course)
    before = assignment.linked_assignments.filter(keeps_sending=True).exists()
    assignment.linked_assignments.update(keeps_sending=keeps, swept_at=None)
    record(
        ActKind.SCORES_SENT,
        by=by,
        thing=assignment,
        before={"sent automatically": before},
        after={"sent automatically": keeps},
    )


@transaction.atomic
def set_sending(
    *, assignment: Assignment, by: User, sends_zeros: bool, column_maximum: Decimal | None
) -> None:
    """Say whether missing uploads are sent as zeros, and the maximum of the columns there.

    Raises NotAllowed; Refused for a maximum below full points.
    """
    require_instructor(by, assignment.course)
    full = full_points(assignment)
    if column_maximum is not None and column_maximum < full:
        raise Refused(f"The column must take full points: at least {full.normalize():f}.")
    link = assignment.linked_assignments.exclude(lineitem_url="").first()
    if link is None:
        raise Refused(_NO_COLUMN)
    before = {"zeros for missing uploads": link.sends_zeros, "column": link.column_maximum}
    assignment.linked_assignments.update(sends_zeros=sends_zeros, column_maximum=column_maximum)
    after = {"zeros for missing uploads": sends_zeros, "column": column_maximum}
    record(ActKind.SCORES_SENT, by=by, thing=assignment, before=before, after=after)


def check_results(*, assignment: Assignment, by: User, at: datetime | None = None) -> bool:
    """Ask the platforms what they show; return whether all have said. For instructors."""
    require_instructor(by, assignment.course)
    now = at or timezone.now()
    links = list(links_of(assignment))
    said = [read_results(link, connector_of(link.linked_course.platform), at=now) for link in links]
    return all(said)


@transaction.atomic
def send_again(*, assignment: Assignment, by: User, at: datetime | None = None) -> int:
    """Queue the points that were given up, or are shown otherwise; return how many."""
    require_instructor(by, assignment.course)
    wrong = Q(state=Score.State.FAILED) | differs()
    n = _queue_again(assignment, wrong, at or timezone.now())
    if n:
        after = {"students": n, "again": True}
        record(ActKind.SCORES_SENT, by=by, thing=assignment, after=after)
    return n


def _queue_again(assignment: Assignment, which: Q, at: datetime) -> int:
    rows = Score.objects.filter(which, link__assignment=assignment)
    return rows.update(state=Score.State.WAITING, attempts=0, due_at=at)


@transaction.atomic
def queue_changes(link: LinkedAssignment, *, at: datetime) -> int:
    """Queue the points of which the platform has no or an outdated value; return how many.

    Points that a student has no longer are taken back there. Students who never came from the
    platform are left out.
    """
    LinkedAssignment.objects.filter(pk=link.pk).update(swept_at=at)
    rows = {row.user_id: row for row in link.scores.select_for_update()}
    maximum = maximum_of(link)
    changed = []
    for user, seen in _wanted(link, rows.values(), at).items():
        row, wanted = rows.get(user), (seen.points, maximum, seen.comment)
        if row is not None and (row.points, row.maximum, row.comment) == wanted:
            continue
        row = row or Score(link=link, user_id=user)
        row.points, row.maximum, row.comment = wanted
        row.due_at = at
        row.state, row.attempts, row.error = Score.State.WAITING, 0, ""
        changed.append(row)
    Score.objects.bulk_create(
        changed,
        update_conflicts=True,
        unique_fields=["link", "user"],
        update_fields=["points", "maximum", "comment", "due_at", "state", "attempts", "error"],
    )
    return len(changed)


def _wanted(link: LinkedAssignment, rows: Iterable[Score], at: datetime) -> dict[int, Seen]:
    """Return what the platform should have, by account; no points: none any more."""
    provider = link.linked_course.platform.identity_provider
    known = set(SocialAccount.objects.filter(provider=provider).values_list("user_id", flat=True))
    sent = {row.user_id for row in rows if row.sent_at is not None}
    return {
        user: seen
        for user, seen in seen_points(link, at=at).items()
        if user in known and (seen.points is not None or user in sent)
    }


def send_due(*, at: datetime) -> int:
    """Queue the changes of automatic links, then send due points; return how many were accepted."""
    due = Q(swept_at__isnull=True) | Q(swept_at__lte=at - _SWEEP)
    sweeps = LinkedAssignment.objects.filter(due, keeps_sending=True).exclude(lineitem_url="")
    for link in sweeps.select_related("linked_course__platform", "assignment__course"):
        queue_changes(link, at=at)
    waiting = Score.objects.filter(state=Score.State.WAITING, due_at__lte=at)
    rows = waiting.select_related("link__linked_course__platform", "link__assignment__course")
    return _send_all(list(rows.order_by("due_at", "pk")[:_BATCH]), at)


def _send_all(rows: Iterable[Score], at: datetime) -> int:
    connectors: dict[int, ServiceConnector] = {}
    done, links = 0, {}
    for row in rows:
        platform = row.link.linked_course.platform
        if not _claim(row, at) or not _brought_up_to_date(row, at):
            continue
        if platform.pk not in connectors:
            connectors[platform.pk] = connector_of(platform)
        if _send(row, connectors[platform.pk], at):
            done += 1
            links[row.link_id] = row.link
    for link in links.values():
        read_results(link, connectors[link.linked_course.platform_id], at=at)
    return done


def _brought_up_to_date(row: Score, at: datetime) -> bool:
    """Write the points that the student sees now into a row; return whether to send it.

    Hidden points wait. Points that are gone, and were never sent, are forgotten with their row.
    """
    known = seen_points(row.link, [row.user_id], at=at)
    if row.user_id not in known:
        return False
    seen, maximum = known[row.user_id], maximum_of(row.link)
    if seen.points is None and row.sent_at is None:
        _same(row).delete()
        return False
    wanted = (seen.points, maximum, seen.comment)
    if wanted != (row.points, row.maximum, row.comment):
        _same(row).update(points=seen.points, maximum=maximum, comment=seen.comment)
        row.points, row.maximum, row.comment = wanted
    return True


def _claim(row: Score, at: datetime) -> bool:
    same = Score.objects.filter(pk=row.pk, state=Score.State.WAITING, due_at=row.due_at)
    return bool(same.update(due_at=at + _LEASE))


def _send(row: Score, connector: ServiceConnector, at: datetime) -> bool:
    platform = row.link.linked_course.platform
    subject = (
        SocialAccount.objects.filter(provider=platform.identity_provider, user=row.user_id)
        .values_list("uid", flat=True)
        .first()
    )
    if subject is None:
        _same(row).update(state=Score.State.FAILED, error=_UNKNOWN)
        return False
    grade = _score(row).set_timestamp(at.isoformat()).set_user_id(subject)
    service = AssignmentsGradesService(
        connector, {"scope": [_SCOPE], "lineitem": row.link.lineitem_url}
    )
    try:
        service.put_grade(grade)
    except SERVICE_ERRORS as error:
        _note_failure(row, error, connector, at)
        return False
    _same(row).update(state=Score.State.SENT, sent_at=at, error="", shown=None, read_at=None)
    return True


def _score(row: Score) -> Grade:
    """Return the message; without a score the platform clears what it has (LTI Assignment and
    Grade Services 2.0, scoreGiven)."""
    if row.points is None:
        return Grade().set_activity_progress("Initialized").set_grading_progress("NotReady")
    grade = Grade().set_score_given(float(row.points)).set_score_maximum(float(row.maximum))
    if row.comment:
        grade.set_comment(row.comment)
    return grade.set_activity_progress("Completed").set_grading_progress("FullyGraded")


def _same(row: Score) -> "QuerySet[Score]":
    return Score.objects.filter(pk=row.pk, points=row.points, state=Score.State.WAITING)


def _note_failure(row: Score, error: Exception, connector: ServiceConnector, at: datetime) -> None:
    reason = reason_of(error, row, connector)
    logger.warning("points of link %s were not taken: %s", row.link_id, reason)
    is_last = row.attempts >= len(PAUSES) or is_hopeless(error)
    pause = PAUSES[min(row.attempts, len(PAUSES) - 1)]
    _same(row).update(
        state=Score.State.FAILED if is_last else Score.State.WAITING,
        attempts=F("attempts") + 1,
        due_at=at + pause,
        failed_at=at if is_last else None,
        error=reason[:500],
    )
