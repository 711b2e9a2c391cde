"""Retention periods of a course's data, and the records of grades that outlive it."""

from typing import Final

from django.core.validators import MaxValueValidator
from django.db import models

from webapp.courses.models import Course

__all__ = ["MAX_DAYS", "GradeRecord", "Retention"]

MAX_DAYS: Final = 36_500
"""A hundred years."""


def _days(help_text: str) -> "models.PositiveIntegerField[int | None, int | None]":
    return models.PositiveIntegerField(
        null=True, blank=True, validators=[MaxValueValidator(MAX_DAYS)], help_text=help_text
    )


class Retention(models.Model):
    """The days in the archive after which data of a course is deleted; ``None``: never."""

    course = models.OneToOneField(Course, models.CASCADE, related_name="retention")
    sources_days = _days("Uploaded programs, with the names of their files.")
    records_days = _days("Games: moves, times and scores of each. Grades and figures stay.")
    prints_days = _days("Output that agents printed in practice games.")
    logs_days = _days("Output of compilers, and of programs when they failed.")

    class Meta:
        verbose_name_plural = "retention"

    def __str__(self) -> str:
        return f"retention of {self.course}"


class GradeRecord(models.Model):
    """A grade of a course that was deleted, without names and without references."""

    course = models.CharField(max_length=120)
    term = models.CharField(max_length=40, blank=True)
    assignment = models.CharField(max_length=120)
    team = models.CharField(max_length=32)
    """Random; the same for all grades of one team."""
    members = models.PositiveSmallIntegerField()
    points = models.DecimalField(max_digits=8, decimal_places=2)
    full_points = models.DecimalField(max_digits=8, decimal_places=2)
    penalty_percent = models.DecimalField(max_digits=5, decimal_places=2)
    mean = models.FloatField()
    scheme = models.JSONField()
    """The GradingScheme that was applied, as JSON; ``by hand`` for points that staff gave."""
    graded_at = models.DateTimeField()
    was_current = models.BooleanField()
    """It counted when the course was deleted; the others are its history."""
    kept_since = models.DateTimeField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.course}, {self.assignment}: {self.points}"
