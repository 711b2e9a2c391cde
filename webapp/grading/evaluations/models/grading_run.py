from django.conf import settings
from django.db import models
from django.db.models import Q

from webapp.teaching.courses.models import Assignment


class GradingRun(models.Model):
    """The grading of all teams of an assignment."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="grading_runs")
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    requested_at = models.DateTimeField()
    submissions = models.JSONField()
    """Keys of the submissions that counted at that moment, in the order of their teams' names."""
    done = models.PositiveIntegerField(default=0)
    refused = models.JSONField(default=dict, blank=True)
    """By a team's name why nothing was started for it."""
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-requested_at", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=["assignment"],
                condition=Q(finished_at__isnull=True),
                name="grading_run_one_open",
            ),
        )

    def __str__(self) -> str:
        return f"grading of {self.assignment}"

    @property
    def total(self) -> int:
        return len(self.submissions)
