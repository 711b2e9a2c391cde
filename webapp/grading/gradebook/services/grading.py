"""Grades are made here, from finished graded evaluations and nothing else."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from grader.results.grading_scheme import GradingScheme
from webapp.grading.evaluations.models import Evaluation, Kind, Status
from webapp.grading.gradebook.models import Grade
from webapp.grading.gradebook.points import grade_of
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.models import Act
from webapp.people.auditlog.services import act, record_all
from webapp.teaching.courses.deadlines import Lateness, Resolution
from webapp.teaching.courses.locks import lock, lock_course
from webapp.teaching.courses.models import Assignment, Course, Team
from webapp.teaching.courses.resolution import (
    Resolutions,
    resolution_of,
    resolve_assignment,
    resolve_many,
)
from webapp.teaching.courses.stored_schemes import scheme_json


# See webapp/decisions/re-runs.md
@transaction.atomic
def record_grade(*, evaluation: Evaluation, at: datetime) -> Grade:
    """Record the points that a finished graded evaluation is worth, by the scheme of now.

    They become the team's grade unless that rests on a submission with a better claim. Raises
    ValueError for an evaluation that cannot give a grade.
    """
    submission = evaluation.submission
    if evaluation.kind != Kind.GRADED or submission is None:
        raise ValueError(f"{evaluation} is not a graded evaluation of a submission")
    if evaluation.status != Status.FINISHED:
        raise ValueError(f"{evaluation} is {evaluation.status}, not finished")
    assignment, team = evaluation.assignment, submission.team
    lock(assignment)  # its scheme as it is now
    lock_course(assignment.course)  # dates elsewhere in the course may change a penalty
    mean = evaluation.mean or 0.0
    full = assignment.scheme.points(mean, _shares(evaluation))
    resolution = resolution_of(team)
    lateness = resolution.lateness_of_graded(submission.uploaded_at)
    claims = _has_better_claim(team, submission, resolution)
    earlier = team.grades.filter(is_current=True).first() if claims else None
    if claims:
        team.grades.filter(is_current=True).update(is_current=False)
    grade = Grade.objects.create(
        team=team,
        evaluation=evaluation,
        mean=mean,
        full_points=full,
        penalty_percent=lateness.penalty_percent,
        points=lateness.points(full),
        scheme=assignment.grading,
        graded_at=at,
        is_current=claims,
    )
    if claims:
        record_all([_change(assignment, earlier, grade, None, "Graded games have ended.")])
    return grade


def _change(
    assignment: Assignment, before: Grade | None, after: Grade, by: User | None, reason: str
) -> Act:
    return act(
        ActKind.GRADE_CHANGED,
        by=by,
        team=after.team_id,
        thing=assignment,
        before=_log_values(before),
        after=_log_values(after),
        reason=reason,
        at=after.graded_at,
    )


def _log_values(grade: Grade | None) -> dict[str, object]:
    if grade is None:
        return {"points": None}
    return {"points": f"{grade.points:.2f}", "penalty percent": f"{grade.penalty_percent:.2f}"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    team: Team
    before: Decimal
    after: Decimal

    @property
    def by(self) -> Decimal:
        return self.after - self.before


def preview_scheme(assignment: Assignment, scheme: GradingScheme) -> list[Move]:
    """Return what another scheme would change, by team, the greatest loss first.

    Nothing is written. A fixed number of queries.
    """
    moves = []
    for grade, lateness in _with_lateness(assignment, resolve_assignment(assignment), "team"):
        full = scheme.points(grade.mean, _shares(grade.evaluation))
        moves.append(Move(team=grade.team, before=grade.points, after=lateness.points(full)))
    return sorted(moves, key=lambda move: (not move.by, move.by, move.team.name))


# See webapp/decisions/new-grading-scheme.md
@transaction.atomic
def regrade(*, assignment: Assignment, by: User, at: datetime, reason: str = "") -> int:
    """Recompute the points of every graded team by the present scheme; return their number.

    Call it in the transaction that changes the scheme, so that one scheme holds for all teams.
    """
    lock_course(assignment.course)
    again = [
        (assignment, grade, _superseding(grade, lateness, by, at, scheme=assignment.scheme))
        for grade, lateness in _with_lateness(assignment, resolve_assignment(assignment))
    ]
    _replace(again, reason.strip() or "The grading scheme was changed.")
    return len(again)


@transaction.atomic
def apply_lateness(
    *, course: Course, by: User, at: datetime, reason: str, team: Team | None = None
) -> int:
    """Recompute the points of the whole course by its current dates; return how many changed.

    Within the transaction that changes a date. ``team``: only another upload of this team may
    count, so only teams are looked at whose late days depend on its members'.
    """
    lock_course(course)
    assignments = _graded_assignments(course)
    members = None if team is None else team.memberships.values_list("user_id", flat=True)
    resolutions = resolve_many(assignments, members)
    again = [
        (assignment, grade, _superseding(grade, lateness, by, at))
        for assignment in assignments
        for grade, lateness in _with_lateness(
            assignment,
            resolutions[assignment.pk],
            teams=None if team is None else resolutions[assignment.pk].teams,
        )
        if grade.penalty_percent != lateness.penalty_percent
    ]
    _replace(again, reason)
    return len(again)


def _graded_assignments(course: Course) -> list[Assignment]:
    graded = Assignment.objects.filter(course=course, teams__grades__is_current=True)
    return list(graded.select_related("course").distinct())


def _with_lateness(
    assignment: Assignment,
    resolutions: Resolutions,
    *related: str,
    teams: Collection[int] | None = None,
) -> list[tuple[Grade, Lateness]]:
    current = Grade.objects.filter(team__assignment=assignment, is_current=True)
    if teams is not None:
        current = current.filter(team__in=teams)
    return [
        (grade, resolutions.teams[grade.team_id].lateness_of_graded(submission.uploaded_at))
        for grade in current.select_related("evaluation__submission", *related)
        if (submission := grade.evaluation.submission) is not None
    ]


def _superseding(
    grade: Grade, lateness: Lateness, by: User, at: datetime, *, scheme: GradingScheme | None = None
) -> Grade:
    full = grade.full_points
    if scheme is not None:
        full = scheme.points(grade.mean, _shares(grade.evaluation))
    return Grade(
        team_id=grade.team_id,
        evaluation_id=grade.evaluation_id,
        mean=grade.mean,
        full_points=full,
        penalty_percent=lateness.penalty_percent,
        points=lateness.points(full),
        scheme=grade.scheme if scheme is None else scheme_json(scheme),
        graded_at=at,
        changed_by=by,
    )


def _replace(changes: Sequence[tuple[Assignment, Grade, Grade]], reason: str) -> None:
    teams = [after.team_id for _, _, after in changes]
    Grade.objects.filter(team__in=teams, is_current=True).update(is_current=False)
    for _, _, after in changes:
        after.reason = reason[:200]
    Grade.objects.bulk_create([after for _, _, after in changes])
    record_all(
        _change(assignment, before, after, after.changed_by, reason)
        for assignment, before, after in changes
    )


def _shares(evaluation: Evaluation) -> dict[str, float]:
    wins = evaluation.wins
    return {} if wins is None else wins.shares


def _has_better_claim(team: Team, submission: Submission, resolution: Resolution) -> bool:
    """Return whether a grade of this submission replaces the present one.

    The counted submission's always does; another's only if the present one is not the counted
    submission's either, nor a later one's: the order of ends never decides a grade.
    """
    present = grade_of(team)
    counted = None if resolution.counted is None else resolution.counted.pk
    if present is None or submission.pk == counted:
        return True
    graded = present.evaluation.submission
    if graded is None or graded.pk == counted:
        return False
    return submission.number >= graded.number
