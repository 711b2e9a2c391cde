"""One upload of a team. Its bytes and number never change; only its status moves, by one table."""

from collections.abc import Mapping
from typing import Final, Self

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Exists, OuterRef, Q

from webapp.base.interfaces import DEFAULT, choices
from webapp.base.transitions import Advancing
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Enrolment, Membership, Team
from webapp.teaching.courses.models.course import STAFF_ROLES


# The guide shows the docstrings of the members.
class SubmissionStatus(models.TextChoices):
    """The stage of an upload."""

    RECEIVED = "received", "received"
    """Stored; a grader has yet to compile it."""
    CHECKED = "checked", "compiled"
    """A grader compiled it and plays its first test."""
    SMOKE_TESTED = "smoke_tested", "tested"
    """The first test is over and is being judged."""
    READY = "ready", "ready"
    """It can play, so it may count."""
    REJECTED = "rejected", "rejected"
    """It cannot be run, or it faulted in every game of the first test. Never counted."""


TRANSITIONS: Final[Mapping[str, tuple[SubmissionStatus, ...]]] = {
    SubmissionStatus.RECEIVED: (SubmissionStatus.CHECKED, SubmissionStatus.REJECTED),
    SubmissionStatus.CHECKED: (SubmissionStatus.SMOKE_TESTED, SubmissionStatus.REJECTED),
    SubmissionStatus.SMOKE_TESTED: (SubmissionStatus.READY, SubmissionStatus.REJECTED),
    SubmissionStatus.READY: (),
    SubmissionStatus.REJECTED: (),
}


class SubmissionQuerySet(models.QuerySet["Submission"]):
    """Submissions, filtered by what a person may see, and by whether they can be read."""

    def with_sources(self) -> Self:
        """Leave out submissions whose sources were removed: nothing reads or plays them."""
        return self.filter(sources_removed_at__isnull=True)

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """A team sees its own while in the course; the course's staff and operators see all."""
        if not user.is_authenticated:
            return self.none()
        if user.is_superuser:
            return self
        mine = Membership.objects.filter(team=OuterRef("team"), user=user)
        enrolled = Enrolment.objects.active().filter(
            course=OuterRef("team__assignment__course"), user=user
        )
        staff = enrolled.filter(role__in=STAFF_ROLES)
        return self.filter(Exists(mine) & Exists(enrolled) | Exists(staff))


class Submission(Advancing):
    """One immutable upload."""

    team = models.ForeignKey(Team, models.PROTECT, related_name="submissions")
    number = models.PositiveIntegerField()
    """From 1 within the team, in the order of uploads."""
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField()
    filename = models.CharField(max_length=120)
    """The name that the browser sent; only shown to people."""
    sha256 = models.CharField(max_length=64, validators=[RegexValidator(r"^[0-9a-f]{64}$")])
    """Digest of the stored archive: its key in the artefact store."""
    size_bytes = models.PositiveIntegerField()
    interface = models.CharField(max_length=20, choices=choices, default=DEFAULT)

    status = models.CharField(
        max_length=12, choices=SubmissionStatus, default=SubmissionStatus.RECEIVED
    )
    messages = models.JSONField(default=list, blank=True)
    """Complaints: objects with ``file``, ``line`` (0: the whole file), ``column`` (0: not known)
    and ``text``."""
    notes = models.JSONField(default=list, blank=True)
    """Notes for its team, on what was left out of the upload and of a good build: objects like the
    complaints."""
    build_log = models.TextField(blank=True)
    sources_removed_at = models.DateTimeField(null=True, blank=True, editable=False)
    """From then on its archive may leave the store: it can no longer be read or played."""
    warning = models.CharField(max_length=300, blank=True)

    transitions = TRANSITIONS
    objects = SubmissionQuerySet.as_manager()

    class Meta:
        ordering = ("-uploaded_at", "-pk")
        constraints = (
            models.UniqueConstraint(fields=["team", "number"], name="submission_number_unique"),
            models.CheckConstraint(
                condition=Q(status__in=SubmissionStatus.values), name="submission_status_known"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="submission_number_from_one"),
            models.CheckConstraint(condition=~Q(interface=""), name="submission_has_an_interface"),
        )
        indexes = (
            models.Index(fields=["team", "status", "uploaded_at"], name="submission_counted"),
        )

    def __str__(self) -> str:
        return f"{self.team} #{self.number}"

    @property
    def is_final(self) -> bool:
        return not TRANSITIONS[self.status]


class Choice(models.Model):
    """A team's decision which of its uploads is to count. Never changed: the latest holds."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="choices")
    submission = models.ForeignKey(Submission, models.CASCADE, related_name="+")
    chosen_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    chosen_at = models.DateTimeField()

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.submission}, {self.chosen_at}"


class RefusedUpload(models.Model):
    """A refused upload, whose check took the site some work."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=["user", "at"], name="refused_upload_user_at"),)

    def __str__(self) -> str:
        return f"{self.user}, {self.at}"


class KeptUpload(models.Model):
    """A file of a user who had been signed out: theirs alone, for an hour, and not a submission."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    assignment = models.ForeignKey("courses.Assignment", models.CASCADE, related_name="+")
    filename = models.CharField(max_length=120)
    data = models.BinaryField()
    interface = models.CharField(max_length=20, blank=True)
    agent_class = models.CharField(max_length=100, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["user", "assignment"], name="kept_upload_once"),
        )

    def __str__(self) -> str:
        return f"{self.filename} of {self.user}"

    @property
    def size_bytes(self) -> int:
        return len(self.data)
