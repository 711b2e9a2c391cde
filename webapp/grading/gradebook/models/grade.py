"""A team's points, and the evaluation that is the evidence for them."""

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import Q

from webapp.grading.evaluations.models import Evaluation
from webapp.teaching.courses.models import Team


class Grade(models.Model):
    """Points of one team for one finished graded evaluation. Never changed, only superseded."""

    team = models.ForeignKey(Team, models.PROTECT, related_name="grades")
    evaluation = models.ForeignKey(Evaluation, models.PROTECT, related_name="grades")
    mean = models.FloatField()
    points = models.DecimalField(max_digits=8, decimal_places=2)
    full_points = models.DecimalField(max_digits=8, decimal_places=2)
    """Before the penalty for lateness."""
    penalty_percent = models.DecimalField(max_digits=5, decimal_places=2, default=Decimal(0))
    """Taken off because the upload was late."""
    scheme = models.JSONField()
    """The GradingScheme that was applied, as JSON."""
    graded_at = models.DateTimeField()
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    """The person who changed the scheme or a date after the games; ``None``: their end gave it."""
    reason = models.CharField(max_length=200, blank=True)
    """Why it took the place of another one, for the team; empty: games have ended."""
    is_current = models.BooleanField(default=True)
    """The one that counts; the others are its history."""

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
