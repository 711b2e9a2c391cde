"""The models of this app, one file a subject."""

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import Q

from webapp.grading.evaluations.models import Evaluation
from webapp.teaching.courses.models import Assignment, Team


class Outcome(models.TextChoices):
    """The state of a request."""

    OPEN = "open", "open"
    KEPT = "kept", "points stay"
    CHANGED = "changed", "points changed"
    REPLAYED = "replayed", "games played again"


class RegradeRequest(models.Model):
    """A student's request about a released grade. One may be open for each assignment."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="regrade_requests")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="regrade_requests"
    )
    text = models.TextField(max_length=4000)
    asked_at = models.DateTimeField()
    points = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    outcome = models.CharField(max_length=8, choices=Outcome, default=Outcome.OPEN)
    answer = models.TextField(max_length=4000, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-asked_at", "-pk")
        constraints = (
            models.CheckConstraint(condition=~Q(text=""), name="regrade_request_has_text"),
            models.CheckConstraint(
                condition=Q(outcome__in=Outcome.values), name="regrade_outcome_known"
            ),
            models.CheckConstraint(
                condition=Q(outcome=Outcome.OPEN, answered_at__isnull=True)
                | (~Q(outcome=Outcome.OPEN) & ~Q(answer="") & Q(answered_at__isnull=False)),
                name="regrade_answer_has_reason",
            ),
            models.UniqueConstraint(
                fields=["assignment", "user"],
                condition=Q(outcome=Outcome.OPEN),
                name="regrade_one_open_a_student",
            ),
        )

    def __str__(self) -> str:
        return f"{self.user}, {self.assignment}: {self.outcome}"

    @property
    def is_open(self) -> bool:
        return self.outcome == Outcome.OPEN


MAX_MANUAL = 100_000


class ManualPoints(models.Model):
    """Points for one student: who gave them, when, and why. Never changed.

    Of each source the latest row holds, and those of all sources are added up.
    """

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="manual_points")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="manual_points")
    source = models.CharField(max_length=60, blank=True)
    """Empty: given by hand; else the name of what gave them."""
    points = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    """``None``: none any more, or only a comment."""
    replaces = models.BooleanField(default=False)
    """True if they replace all others; otherwise they are added, and may be below zero."""
    comment = models.TextField(max_length=2000, blank=True)
    """Read by the student, once the grade is released."""
    reason = models.CharField(max_length=200)
    """Read by the student, and kept in the audit log."""
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    given_at = models.DateTimeField()

    class Meta:
        ordering = ("-given_at", "-pk")
        indexes = (models.Index(fields=["assignment", "user"], name="manual_points_of_student"),)
        constraints = (
            models.CheckConstraint(condition=~Q(reason=""), name="manual_points_have_reason"),
            models.CheckConstraint(
                condition=Q(replaces=False) | Q(points__gte=0), name="manual_points_not_negative"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.points}"


class Grade(models.Model):
    """Points of one team for one finished graded evaluation. Never changed, only superseded."""

    team = models.ForeignKey(Team, models.PROTECT, related_name="grades")
    evaluation = models.ForeignKey(Evaluation, models.PROTECT, related_name="grades")
    mean = models.FloatField()
    points = models.DecimalField(max_digits=8, decimal_places=2)
    full_points = models.DecimalField(max_digits=8, decimal_places=2)
    """Before the penalty for lateness."""
    penalty_percent = models.DecimalField(max_digits=5, decimal_places=2, default=Decimal(0))
    scheme = models.JSONField()
    graded_at = models.DateTimeField()
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    """The person who changed the scheme or a date after the games; ``None``: their end gave it."""
    reason = models.CharField(max_length=200, blank=True)
    """Why it took the place of another one, for the team; empty: games have ended."""
    is_current = models.BooleanField(default=True)

    class Meta:
        ordering = ("-graded_at", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=["team"], condition=Q(is_current=True), name="grade_one_current"
            ),
            models.UniqueConstraint(
                fields=["evaluation"],
                condition=Q(changed_by__isnull=True),
                name="grade_once_an_evaluation",
            ),
            models.CheckConstraint(condition=Q(points__gte=0), name="grade_not_negative"),
            models.CheckConstraint(
                condition=Q(penalty_percent__gte=0, penalty_percent__lte=100),
                name="grade_penalty_in_range",
            ),
        )

    def __str__(self) -> str:
        return f"{self.team}: {self.points}"
