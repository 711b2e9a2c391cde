"""Delete a course: at once for everybody, and its rows in parts afterwards."""

import secrets
from datetime import datetime
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import Any, Final

from django.db import models, transaction
from django.utils import timezone

from webapp.base.errors import Refused
from webapp.contests.tournaments.models import Stage, Tournament
from webapp.flow.lifecycle.batches import BatchDeadline, in_batches, raw_delete
from webapp.flow.lifecycle.models import GradeRecord
from webapp.flow.lifecycle.tables import ArchiveTable, course_tables
from webapp.grading.gradebook.models import Grade, ManualPoints
from webapp.grading.gradebook.points import manual_points
from webapp.grading.jobs.models import OWNERS, Job
from webapp.people.accounts.models import User
from webapp.people.auditlog.erasing import erase_words
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.models import Act
from webapp.people.auditlog.services import record
from webapp.teaching.courses.models import (
    Assignment,
    Course,
    EnrolmentState,
    LeaderboardVisibility,
    Membership,
)
from webapp.teaching.courses.models.course import new_code
from webapp.teaching.courses.permissions import require_instructor

_AT_ONCE: Final = 500


@transaction.atomic
def delete_course(
    *, course: Course, by: User, slug: str, reason: str, at: datetime | None = None
) -> int:
    """Delete an archived course for everybody, for good; return how many grades are kept.

    ``slug`` is its short name, typed again. Raises NotAllowed, Refused.
    """
    require_instructor(by, course, to_look=True)
    now = at or timezone.now()
    course = Course.objects.select_for_update(no_key=True).get(pk=course.pk)
    if course.archived_at is None:
        raise Refused("Archive the course first: only archived courses can be deleted.")
    if slug.strip() != course.slug:
        raise Refused(f"Type the course’s short name, {course.slug}, to delete it.")
    if not reason.strip():
        raise Refused("Give a reason, so that others can understand it later.")
    n_kept = _keep_grades(course, now)
    title = str(course)
    _hide(course, now)
    erase_words(
        Act.objects.filter(course=course.pk), by=by, course=course, reason="The course was deleted."
    )
    record(
        ActKind.COURSE_DELETED,
        by=by,
        course=course,
        thing=title,
        after={"grades kept": n_kept},
        reason=reason,
        at=now,
    )
    return n_kept


def _keep_grades(course: Course, at: datetime) -> int:
    """Copy the grades without names; one team's have the same random word."""
    grades = (
        Grade.objects.filter(team__assignment__course=course)
        .select_related("team__assignment")
        .annotate(members=models.Count("team__memberships"))
        .order_by("pk")
        .iterator(_AT_ONCE)
    )
    teams: dict[int, str] = {}
    rows = (_record_of(grade, course, teams, at) for grade in grades)
    n_kept = _keep_points_by_hand(course, teams, at)
    while part := list(islice(rows, _AT_ONCE)):
        n_kept += len(GradeRecord.objects.bulk_create(part))
    return n_kept


def _record_of(grade: Any, course: Course, teams: dict[int, str], at: datetime) -> GradeRecord:
    return GradeRecord(
        course=course.title,
        term=course.term,
        assignment=grade.team.assignment.title,
        team=teams.setdefault(grade.team_id, secrets.token_hex(8)),
        members=grade.members,
        points=grade.points,
        full_points=grade.full_points,
        penalty_percent=grade.penalty_percent,
        mean=grade.mean,
        scheme=grade.scheme,
        graded_at=grade.graded_at,
        was_current=grade.is_current,
        kept_since=at,
    )


def _keep_points_by_hand(course: Course, teams: dict[int, str], at: datetime) -> int:
    given = ManualPoints.objects.filter(assignment__course=course, points__isnull=False)
    holding = {row.pk for rows in manual_points(course.assignments.all()).values() for row in rows}
    own = Membership.objects.filter(assignment__course=course)
    team_of = {(row.user_id, row.assignment_id): row.team_id for row in own}
    words: dict[int, str] = {}
    rows = []
    for row in given.select_related("assignment").order_by("pk"):
        team = team_of.get((row.user_id, row.assignment_id))
        named = words if team is None else teams
        rows.append(
            GradeRecord(
                course=course.title,
                term=course.term,
                assignment=row.assignment.title,
                team=named.setdefault(team or row.user_id, secrets.token_hex(8)),
                members=1,
                points=row.points or Decimal(0),
                full_points=row.points or Decimal(0),
                penalty_percent=0,
                mean=0.0,
                scheme={"by hand": True, "replaces": row.replaces},
                graded_at=row.given_at,
                was_current=row.pk in holding,
                kept_since=at,
            )
        )
    return len(GradeRecord.objects.bulk_create(rows, _AT_ONCE))


def _hide(course: Course, at: datetime) -> None:
    """Make the course invisible, and free its short name."""
    Course.objects.filter(pk=course.pk).update(
        deleted_at=at, title="Deleted course", term="", slug=f"deleted-{secrets.token_hex(8)}",
        invite_code=new_code(),
    )  # fmt: skip
    course.enrolments.update(state=EnrolmentState.REMOVED)
    Assignment.objects.filter(course=course).update(leaderboard=LeaderboardVisibility.HIDDEN)
    Tournament.objects.filter(assignment__course=course).update(stage=Stage.HIDDEN)


def remove_deleted_courses(deadline: BatchDeadline) -> int:
    """Remove the rows of deleted courses, in batches; return how many were removed."""
    removed = 0
    for course in Course.objects.filter(deleted_at__isnull=False).order_by("pk"):
        removed += _remove_jobs(course, deadline)
        for table in reversed(course_tables()):
            removed += in_batches(table.rows_of(course), partial(_remove, table), deadline)
            if deadline.is_over:
                return removed
    return removed


def _remove_jobs(course: Course, deadline: BatchDeadline) -> int:
    """Remove what was sent to graders: jobs refer to their owners by columns that may be empty."""
    paths = {
        "evaluation": "assignment__course",
        "tournament": "assignment__course",
        "audit": "evaluation__assignment__course",
        "tournament_audit": "participant__tournament__assignment__course",
        "ladder": "assignment__course",
        "human_game": "assignment__course",
    }
    return sum(
        in_batches(
            Job.objects.filter(**{f"{owner}__{paths[owner]}": course.pk}),
            lambda rows: rows.delete(),
            deadline,
        )
        for owner in OWNERS
    )


def _remove(table: ArchiveTable, rows: Any) -> None:
    """Remove rows. Tables come after what refers to them, so games go without being read."""
    if table.has_games:
        raw_delete(rows)
    else:
        rows.delete()
