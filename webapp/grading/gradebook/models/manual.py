"""Points and comments that staff give by hand, beside what games are worth."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from webapp.teaching.courses.models import Assignment

MAX_MANUAL = 100_000
"""More points than any assignment is worth."""


class ManualPoints(models.Model):
    """Points for one student: who gave them, when, and why. Never changed; the latest holds.

    Of each source (staff by hand, or a tournament) the latest row holds, and those of all sources
    are added up.
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
