"""Retention periods of a course's data, grades that outlive it, and course files to take in."""

from typing import Final, Self

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models

from webapp.teaching.courses.models import Course

MAX_DAYS: Final = 36_500


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
    kept_since = models.DateTimeField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.course}, {self.assignment}: {self.points}"


class RetentionStage(models.TextChoices):
    """The progress of an import."""

    QUEUED = "queued", "waits for the background worker"
    READING = "reading", "reads the rows"
    CHECKING = "checking", "derives the grades again"
    WRITING = "writing", "writes the course"
    DONE = "done", "imported"
    REFUSED = "refused", "not imported"


_ENDS: Final = (RetentionStage.DONE, RetentionStage.REFUSED)


class CourseImportQuerySet(models.QuerySet["CourseImport"]):
    def under_way(self) -> Self:
        """Return imports that have not ended."""
        return self.exclude(stage__in=_ENDS)


class CourseImport(models.Model):
    """A course file that was sent on a page, and how far the background worker is with it."""

    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    requested_at = models.DateTimeField()
    slug = models.SlugField()
    stage = models.CharField(max_length=8, choices=RetentionStage, default=RetentionStage.QUEUED)
    rows = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    touched_at = models.DateTimeField()
    """The time of a worker's last sign of progress."""
    answer = models.TextField(blank=True)

    objects = CourseImportQuerySet.as_manager()

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.CheckConstraint(
                condition=models.Q(stage__in=RetentionStage.values),
                name="course_import_stage_known",
            ),
        )

    def __str__(self) -> str:
        return f"import as {self.slug}"

    @property
    def is_over(self) -> bool:
        return self.stage in _ENDS

    @property
    def is_done(self) -> bool:
        return self.stage == RetentionStage.DONE


class ImportPart(models.Model):
    """Some bytes of a file that is to be imported; deleted at its end."""

    course_import = models.ForeignKey(CourseImport, models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["course_import", "number"], name="import_part_once"),
        )

    def __str__(self) -> str:
        return f"part {self.number} of {self.course_import}"
