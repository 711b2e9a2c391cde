"""Students' requests to review a grade, and the answers of staff."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from webapp.teaching.courses.models import Assignment


class Outcome(models.TextChoices):
    """The state of a request."""

    OPEN = "open", "open"
    """It has not been answered."""
    KEPT = "kept", "points stay"
    """The points are right and stay."""
    CHANGED = "changed", "points changed"
    """Staff gave other points."""
    REPLAYED = "replayed", "games played again"
    """Staff started the graded games again."""


class RegradeRequest(models.Model):
    """A student's request about a released grade. One may be open for each assignment."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="regrade_requests")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="regrade_requests"
    )
    text = models.TextField(max_length=4000)
    asked_at = models.DateTimeField()
    points = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    """The points that the student had."""
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
        """True until staff have answered."""
        return self.outcome == Outcome.OPEN
