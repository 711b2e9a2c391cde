"""The few columns that a watched page needs every second or two, in one query each."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Count, Exists, Max, OuterRef, Q, Sum

from webapp.grading.evaluations.models import Audit, AuditStatus, Evaluation, Kind, Status
from webapp.grading.jobs.runs import OPEN
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Enrolment
from webapp.teaching.courses.models.course import STAFF_ROLES

_FIELDS = (
    "uuid", "kind", "status", "verdict", "games_done", "n_games", "faults", "stop_index",
    "started_at", "spec", "submission__status", "mean", "insights", "assignment__holds_grades",
    "opponents", "interface", "sha256", "interface_options", "assignment__game",
    "assignment__game_version",
)  # fmt: skip


def latest_of_each_kind(user: User, submission: int) -> list[Evaluation]:
    """Return a submission's latest evaluation of each kind; nothing if the user may not see it."""
    evaluations = _first_of_own(user, submission=submission)
    return list({evaluation.kind: evaluation for evaluation in evaluations}.values())


def watched_evaluation(user: User, uuid: UUID) -> Evaluation | None:
    """Return an evaluation, or ``None`` if the user may not see it."""
    return next(iter(_first_of_own(user, uuid=uuid)), None)


def _first_of_own(user: User, **which: object) -> list[Evaluation]:
    """Return evaluations, the oldest first: looked for among those of one's own team, then all.

    Most who watch watch their own, and that query takes a fifth of the time.
    """
    brief = Evaluation.objects.select_related("submission", "assignment").only(*_FIELDS)
    evaluations = brief.filter(**which).order_by("pk")
    enrolled = Enrolment.objects.active().filter(course=OuterRef("assignment__course"), user=user)
    own = evaluations.filter(Exists(enrolled), submission__team__memberships__user=user)
    found = list(own)
    if any(one.kind == Kind.GRADED and one.assignment.holds_grades for one in found):
        found = list(own.released())
    return found or list(
        evaluations.filter(pk__in=Evaluation.objects.visible_to(user).filter(**which))
    )


def team_states(user: User, course: str, assignment: str) -> list[tuple[object, ...]]:
    """Return how all evaluations of a user's team stand: their ids and statuses."""
    evaluations = Evaluation.objects.filter(
        assignment__slug=assignment,
        assignment__course__slug=course,
        submission__team__memberships__user=user,
    )
    return list(evaluations.order_by("pk").values_list("pk", "status", "submission__status"))


def waiting_audits(user: User, evaluations: Iterable[Evaluation]) -> list[int]:
    """Return the keys of audits of these that wait for their answer; for staff only."""
    graded = [evaluation.pk for evaluation in evaluations if evaluation.kind == Kind.GRADED]
    waiting = Audit.objects.filter(evaluation__in=graded, status=AuditStatus.QUEUED)
    if not user.is_superuser:
        staff = Enrolment.objects.active().filter(user=user, role__in=STAFF_ROLES)
        waiting = waiting.filter(evaluation__assignment__course__in=staff.values("course"))
    return list(waiting.order_by("pk").values_list("pk", flat=True)) if graded else []


def course_state(user: User, course: str, assignment: str) -> tuple[object, ...]:
    """Return figures that differ when a page on all teams does; empty for others than staff.

    Only graded evaluations are looked at: there are ten times as many others.
    """
    staff = Enrolment.objects.active().filter(
        course=OuterRef("assignment__course"), user=user, role__in=STAFF_ROLES
    )
    evaluations = Evaluation.objects.filter(
        kind=Kind.GRADED,
        assignment__slug=assignment,
        assignment__course__slug=course,
    )
    if not user.is_superuser:
        evaluations = evaluations.filter(Exists(staff))
    state = evaluations.aggregate(
        games=Sum("games_done"),
        last=Max("pk"),
        open=Count("pk", filter=Q(status__in=OPEN)),
        playing=Count("pk", filter=Q(status=Status.PLAYING)),
        failed=Count("pk", filter=Q(status=Status.FAILED)),
        current=Count("pk", filter=Q(is_current=True)),
    )
    return () if state["last"] is None else tuple(state.values())
