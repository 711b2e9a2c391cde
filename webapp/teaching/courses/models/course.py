"""A course, its sections and the people enrolled in it."""

import secrets
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Exists, OuterRef, Q, prefetch_related_objects
from django.utils.safestring import SafeString

from webapp.base.storable import validate_name
from webapp.base.timezones import validate_timezone
from webapp.teaching.courses.deadlines import FULL_TIME_PERCENT, MAX_TIME_PERCENT
from webapp.teaching.courses.rights import ASSISTANT_RIGHTS

if TYPE_CHECKING:
    from webapp.people.accounts.models import User

CODE_ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Letters and digits that cannot be mistaken for one another on a blackboard."""


def new_code() -> str:
    """A code to hand out: 10 characters, 49 bits, unguessable."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(10))


def site_timezone() -> str:
    """Return the time zone of the site, in which a new course keeps its dates."""
    return settings.TIME_ZONE


class PlayWith(models.TextChoices):
    """The agents that people may play with, in games that count nowhere."""

    NOBODY = "nobody", "nobody"
    """People cannot play."""
    HOUSE = "house", "house agents"
    """Only house agents."""
    OWN = "own", "house agents and own submissions"
    """House agents, and agents of the person's team; staff may play with any team's agents."""


class LeaderboardVisibility(models.TextChoices):
    """The audience of a leaderboard."""

    HIDDEN = "hidden", "hidden: staff only"
    """Only the course's staff."""
    COURSE = "course", "published to the course"
    """Everybody enrolled."""
    PUBLIC = "public", "public"
    """Visitors too; they see aliases only."""


class Role(models.TextChoices):
    """A person's role in a course."""

    STUDENT = "student", "student"
    """Submits and sees their own work."""
    OBSERVER = "observer", "observer"
    """Sees what staff see, and changes nothing."""
    GRADER = "grader", "grader"
    """Sees all work and grades, and runs evaluations; sees no list of people."""
    ASSISTANT = "assistant", "assistant"
    """Sees everything in the course, and has the rights that the course gives assistants."""
    INSTRUCTOR = "instructor", "instructor"
    """Has all rights."""


STAFF_ROLES = (Role.OBSERVER, Role.GRADER, Role.ASSISTANT, Role.INSTRUCTOR)
"""Roles that see all work. ``permissions.Viewer`` has their rights."""


class EnrolmentState(models.TextChoices):
    """A person's state in a course. Their work and grades stay in any case."""

    ACTIVE = "active", "enrolled"
    """In it."""
    WITHDRAWN = "withdrawn", "withdrawn"
    """Left it, by their own wish or the registrar's; their grades stay in the lists."""
    REMOVED = "removed", "removed"
    """Taken out by an instructor; not in the lists."""


def all_assistant_rights() -> list[str]:
    """Return the rights of assistants in a new course."""
    return list(ASSISTANT_RIGHTS)


class CourseQuerySet(models.QuerySet["Course"]):
    """Courses, filtered by what a person may see."""

    def visible_to(self, user: "User | AnonymousUser") -> Self:
        """Courses the user is enrolled in; all of them for operators."""
        if not user.is_authenticated:
            return self.none()
        there = self.filter(deleted_at__isnull=True)
        if user.is_superuser:
            return there
        return there.filter(enrolments__user=user, enrolments__state=EnrolmentState.ACTIVE)


class Course(models.Model):
    """One course in one term."""

    # As of an assignment, names and help texts are those of the form.

    slug = models.SlugField(
        "short name in addresses",
        unique=True,
        error_messages={"unique": "Another course has this short name."},
        help_text=SafeString("Lower-case letters, digits and hyphens: <code>ai-2026</code>."),
    )
    title = models.CharField(max_length=120)
    term = models.CharField(max_length=40, blank=True, help_text="For instance: Spring 2026.")
    invite_code = models.CharField(max_length=16, unique=True, default=new_code)
    places = models.PositiveIntegerField(
        default=1000,
        validators=[MinValueValidator(1)],
        help_text="The invite code stops working when this many are enrolled, staff included.",
    )
    timezone = models.CharField(
        "time zone",
        max_length=64,
        default=site_timezone,
        validators=[validate_timezone],
        help_text="Due dates are entered and shown in this time zone.",
    )
    leaderboard_default = models.CharField(
        "leaderboards of new assignments",
        max_length=8,
        choices=LeaderboardVisibility,
        default=LeaderboardVisibility.COURSE,
    )
    late_days = models.PositiveSmallIntegerField(
        "late days of each student",
        default=0,
        validators=[MaxValueValidator(365)],
        help_text="For the whole course, where an assignment allows them. 0: none.",
    )
    drops_lowest = models.PositiveSmallIntegerField(
        "lowest results left out",
        default=0,
        validators=[MaxValueValidator(100)],
        help_text="In each student’s total: those that lower it most. With weights 1 and 3, it may"
        " be 60% of weight 3 rather than 50% of weight 1. 0: all assignments count.",
    )
    show_names = models.BooleanField(
        "show students' names beside aliases",
        default=False,
        help_text="To everybody enrolled. Otherwise students see aliases only.",
    )
    assistant_rights = models.JSONField(
        "assistants may",
        default=all_assistant_rights,
        blank=True,
        help_text="Assistants can always see all submissions, games and grades.",
    )
    """Names of rights (``webapp.teaching.courses.rights``)."""
    staff_keep_to_sections = models.BooleanField(
        "assistants keep to their sections",
        default=False,
        help_text="Assistants and graders who have sections act for students of these only.",
    )
    archived_at = models.DateTimeField(null=True, blank=True, editable=False)
    """From then on nothing in it changes (``permissions.require_unarchived``), until it is taken
    out of the archive."""
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    """From then on it is invisible, and its rows are removed in parts."""
    created_at = models.DateTimeField(auto_now_add=True)

    objects = CourseQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(leaderboard_default__in=LeaderboardVisibility.values),
                name="course_leaderboard_default_known",
            ),
        )

    def __str__(self) -> str:
        return f"{self.title} ({self.term})" if self.term else self.title

    @property
    def tz(self) -> ZoneInfo:
        """The time zone its dates are shown and entered in."""
        return ZoneInfo(self.timezone)

    def day_of(self, moment: datetime) -> tuple[datetime, datetime]:
        """The midnights before and after ``moment``: quotas are per day in the course's zone."""
        midnight = moment.astimezone(self.tz).replace(hour=0, minute=0, second=0, microsecond=0)
        return midnight, midnight + timedelta(days=1)  # in local time: 23 or 25 hours are a day


class Section(models.Model):
    """A part of a course: a tutorial, a lab group."""

    course = models.ForeignKey(Course, models.CASCADE, related_name="sections")
    name = models.CharField(max_length=60, validators=[validate_name])
    staff = models.ManyToManyField(
        "courses.Enrolment", related_name="looks_after", blank=True, editable=False
    )
    """Assistants and graders who are responsible for it."""

    class Meta:
        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(fields=["course", "name"], name="section_name_unique"),
        )

    def __str__(self) -> str:
        return self.name


class EnrolmentQuerySet(models.QuerySet["Enrolment"]):
    """Enrolments by state and role."""

    def active(self) -> Self:
        """Leave the people who are in the course now."""
        return self.filter(state=EnrolmentState.ACTIVE)

    def graded(self) -> Self:
        """Leave the students in lists of grades: enrolled, or withdrawn."""
        return self.filter(role=Role.STUDENT).exclude(state=EnrolmentState.REMOVED)

    def in_sections(self, sections: object) -> Self:
        """Leave the people who are in one of these sections, each once."""
        return self.filter(in_one_of(section__in=sections))

    def with_sections(self) -> Self:
        """Read accounts and all sections along. One query more if somebody has several."""
        further = Enrolment.more_sections.through.objects.filter(enrolment=OuterRef("pk"))
        return self.select_related("user", "section").annotate(has_more=Exists(further))

    def _fetch_all(self) -> None:
        """Read further sections of those who have some: few courses know of any."""
        super()._fetch_all()
        rows: list[Any] = self._result_cache or []
        if several := [row for row in rows if getattr(row, "has_more", False)]:
            prefetch_related_objects(several, "more_sections")


def in_one_of(**of_section: object) -> Q:
    """Return the condition that one of a person's sections meets a lookup: ``section__name=…``."""
    more = Enrolment.more_sections.through.objects.filter(**of_section)
    return Q(**of_section) | Q(pk__in=more.values("enrolment"))


class Enrolment(models.Model):
    """A person's role, section and state in a course."""

    course = models.ForeignKey(Course, models.CASCADE, related_name="enrolments")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="enrolments")
    role = models.CharField(max_length=10, choices=Role, default=Role.STUDENT)
    student_number = models.CharField(max_length=40, blank=True, validators=[validate_name])
    section = models.ForeignKey(
        Section, models.SET_NULL, null=True, blank=True, related_name="enrolments"
    )
    more_sections = models.ManyToManyField(
        Section, related_name="more_enrolments", blank=True, editable=False
    )
    """Further sections: a lab beside a lecture. Empty without ``section``, and never has it.
    Dates go by the later section, lists and rights by either."""
    time_percent = models.PositiveSmallIntegerField(
        default=FULL_TIME_PERCENT,
        validators=[MinValueValidator(FULL_TIME_PERCENT), MaxValueValidator(MAX_TIME_PERCENT)],
    )
    """Percent of the usual time, from opening to due date; ``Accommodation`` rows say why."""
    state = models.CharField(
        max_length=9, choices=EnrolmentState, default=EnrolmentState.ACTIVE, editable=False
    )
    """``permissions`` reads it: people who are not active may do nothing."""
    joined_at = models.DateTimeField(auto_now_add=True)

    objects = EnrolmentQuerySet.as_manager()

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=["course", "state", "role"], name="enrolment_of_course"),)
        constraints = (
            models.UniqueConstraint(fields=["course", "user"], name="enrolment_once"),
            models.CheckConstraint(
                condition=Q(state__in=EnrolmentState.values), name="enrolment_state_known"
            ),
            models.CheckConstraint(
                condition=Q(time_percent__gte=FULL_TIME_PERCENT),
                name="enrolment_time_not_shortened",
            ),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="enrolment_role_known"),
        )

    def __str__(self) -> str:
        return f"{self.user} is {self.role} in {self.course}"

    @property
    def sections(self) -> list[Section]:
        """All sections, the first one first."""
        if self.section is None:
            return []
        has_more: bool = getattr(self, "has_more", True)  # known if read ``with_sections``
        return [self.section, *(self.more_sections.all() if has_more else ())]

    @property
    def section_keys(self) -> str:
        """The keys of all sections, with commas: forms send back what they have shown."""
        return ",".join(str(section.pk) for section in self.sections)

    @property
    def section_words(self) -> str:
        """The names of all sections; empty without one."""
        return ", ".join(section.name for section in self.sections)

    @property
    def words(self) -> str:
        """The role, and the state of a person who has left: ``student, withdrawn``."""
        role, state = Role(self.role), EnrolmentState(self.state)
        return role.label if state == EnrolmentState.ACTIVE else f"{role.label}, {state.label}"
