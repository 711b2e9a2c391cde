"""Dates and late policy: of an assignment, of a section; more time for one student or team."""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Final

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q

from webapp.base.timezones import validate_date
from webapp.teaching.courses.deadlines import FULL_TIME_PERCENT, MAX_TIME_PERCENT, Terms
from webapp.teaching.courses.lateness import WHOLE, LatePolicy, PenaltyUnit

DUE_TOO_EARLY: Final = "The deadline must be later than the opening."
HARD_END_TOO_EARLY: Final = "The hard end must not be earlier than the due date."
CAP_WITHOUT_END: Final = (
    "Enter a hard end: with a maximum penalty below 100%, uploads would count forever."
)
MOST = 32_767
"""Minutes or days: the maximum of a column of the database, far beyond any sensible value."""


PENALTY_ENDS = Q(max_penalty_percent=100) | Q(
    max_penalty_percent__gte=0, max_penalty_percent__lt=100, hard_end_at__isnull=False
)
"""The condition that uploads end even if the penalty never takes all points."""


def end_errors(
    due_at: datetime | None, hard_end_at: datetime | None, max_penalty_percent: Decimal | None
) -> dict[str, str]:
    """Return what is wrong with the end of late uploads, by field."""
    if due_at and hard_end_at and hard_end_at < due_at:
        return {"hard_end_at": HARD_END_TOO_EARLY}
    if max_penalty_percent is not None and max_penalty_percent < WHOLE and not hard_end_at:
        return {"hard_end_at": CAP_WITHOUT_END}
    return {}


class LatePolicyFields(models.Model):
    """The rules for uploads after the due date."""

    grace_minutes = models.PositiveSmallIntegerField(
        "grace period in minutes",
        default=0,
        validators=[MaxValueValidator(MOST)],
        help_text="Uploads up to this late count as on time.",
    )
    penalty_percent = models.DecimalField(
        "penalty for lateness in %",
        max_digits=5,
        decimal_places=2,
        default=Decimal(0),
        validators=[MinValueValidator(Decimal(0)), MaxValueValidator(WHOLE)],
        help_text="Of the points, for each started day or hour. 0: later uploads do not count.",
    )
    max_penalty_percent = models.DecimalField(
        "maximum penalty in %",
        max_digits=5,
        decimal_places=2,
        default=WHOLE,
        validators=[MinValueValidator(Decimal(0)), MaxValueValidator(WHOLE)],
        help_text="Below 100, late uploads count until the hard end, which must be given.",
    )
    penalty_unit = models.CharField(
        "penalty for each",
        max_length=4,
        choices=[(unit.value, unit.value) for unit in PenaltyUnit],
        default=PenaltyUnit.DAY.value,
    )
    max_late_days = models.PositiveSmallIntegerField(
        "late days that may be used",
        default=0,
        validators=[MaxValueValidator(MOST)],
        help_text="Of each student’s late days in the course. They are used automatically.",
    )
    hard_end_at = models.DateTimeField(
        "hard end",
        null=True,
        blank=True,
        validators=[validate_date],
        help_text="Nothing later counts. Empty: until the penalty has taken all points.",
    )

    class Meta:
        abstract = True

    @property
    def late_policy(self) -> LatePolicy:
        """These fields as one value."""
        return LatePolicy(
            grace_minutes=self.grace_minutes,
            penalty_percent=Decimal(self.penalty_percent),
            max_penalty_percent=Decimal(self.max_penalty_percent),
            penalty_unit=PenaltyUnit(self.penalty_unit),
            max_late_days=self.max_late_days,
            hard_end_at=self.hard_end_at,
        )


POLICY: Final = frozenset(column.name for column in LatePolicyFields._meta.local_fields)
"""The columns of the late policy."""


class SectionDates(LatePolicyFields):
    """An assignment's due date and late policy for one section."""

    assignment = models.ForeignKey(
        "courses.Assignment", models.CASCADE, related_name="section_dates"
    )
    section = models.ForeignKey("courses.Section", models.CASCADE, related_name="dates")
    due_at = models.DateTimeField("due", validators=[validate_date])

    class Meta:
        ordering = ("section__name", "pk")
        constraints = (
            models.UniqueConstraint(fields=["assignment", "section"], name="section_dates_once"),
            models.CheckConstraint(
                condition=Q(hard_end_at__isnull=True) | Q(hard_end_at__gte=F("due_at")),
                name="section_dates_end_after_due",
            ),
            models.CheckConstraint(
                condition=Q(penalty_percent__gte=0, penalty_percent__lte=100),
                name="section_dates_penalty_in_range",
            ),
            models.CheckConstraint(
                condition=PENALTY_ENDS, name="section_dates_capped_penalty_ends"
            ),
        )

    def __str__(self) -> str:
        return f"{self.assignment} for {self.section}"

    def terms(self) -> Terms:
        """Return the terms for the students of this section."""
        return replace(
            self.assignment.terms(),
            due_at=self.due_at,
            policy=self.late_policy,
            section=self.section.name,
        )


# See webapp/decisions/extensions.md
class Extension(models.Model):
    """More time for a team or a student, or its end: who, when, and why. Never changed."""

    assignment = models.ForeignKey("courses.Assignment", models.CASCADE, related_name="extensions")
    team = models.ForeignKey(
        "courses.Team", models.CASCADE, null=True, blank=True, related_name="extensions"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="extensions"
    )
    due_at = models.DateTimeField(null=True, blank=True, validators=[validate_date])
    """``None``: the due date without an extension holds again."""
    reason = models.CharField(max_length=200)
    granted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    granted_at = models.DateTimeField()

    class Meta:
        ordering = ("-granted_at", "-pk")
        constraints = (
            models.CheckConstraint(condition=~Q(reason=""), name="extension_has_reason"),
            models.CheckConstraint(
                condition=Q(team__isnull=True, user__isnull=False)
                | Q(team__isnull=False, user__isnull=True),
                name="extension_of_a_team_or_a_student",
            ),
        )

    def __str__(self) -> str:
        return f"{self.team or self.user}: {self.due_at or 'no extension'}"


class Accommodation(models.Model):
    """More of the usual time for one student, in all assignments: who, when, why. Never changed."""

    enrolment = models.ForeignKey(
        "courses.Enrolment", models.CASCADE, related_name="accommodations"
    )
    time_percent = models.PositiveSmallIntegerField(
        validators=[MinValueValidator(FULL_TIME_PERCENT), MaxValueValidator(MAX_TIME_PERCENT)]
    )
    reason = models.CharField(max_length=200)
    granted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    granted_at = models.DateTimeField()

    class Meta:
        ordering = ("-granted_at", "-pk")
        constraints = (
            models.CheckConstraint(condition=~Q(reason=""), name="accommodation_has_reason"),
        )

    def __str__(self) -> str:
        return f"{self.enrolment.user}: {self.time_percent}% of the time"


class GradeRelease(models.Model):
    """Permission for students to see the grades of an assignment that holds them."""

    assignment = models.ForeignKey("courses.Assignment", models.CASCADE, related_name="releases")
    section = models.ForeignKey(
        "courses.Section", models.CASCADE, null=True, blank=True, related_name="releases"
    )
    """``None``: everybody's."""
    released_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    released_at = models.DateTimeField()

    class Meta:
        ordering = ("released_at", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=["assignment", "section"], name="release_once_a_section"
            ),
            models.UniqueConstraint(
                fields=["assignment"],
                condition=Q(section__isnull=True),
                name="release_once_for_everybody",
            ),
        )

    def __str__(self) -> str:
        return f"{self.assignment}, {self.section or 'everybody'}"
