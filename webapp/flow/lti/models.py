"""Learning platforms, and the mapping of their courses and links to ours."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from webapp.teaching.courses.models import Assignment, Course


class ToolKey(models.Model):
    """A key pair that signs this site's messages to platforms. The newest is used."""

    private_pem = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-created_at", "-pk")

    def __str__(self) -> str:
        return f"key of {self.created_at:%Y-%m-%d}"


class Platform(models.Model):
    """A learning platform that operators have registered."""

    name = models.CharField(
        max_length=60, help_text="The name shown to people, such as Canvas or Moodle."
    )
    issuer = models.URLField(max_length=300)
    client_id = models.CharField(max_length=200)
    deployment_ids = models.TextField(help_text="One per line. Other deployments are refused.")
    auth_login_url = models.URLField("authentication request URL", max_length=500)
    token_url = models.URLField("access token URL", max_length=500)
    keys_url = models.URLField("public keyset URL", max_length=500)
    token_audience = models.CharField(
        max_length=300, blank=True, help_text="If the platform names one (Brightspace does)."
    )
    domains = models.CharField(
        max_length=300,
        blank=True,
        help_text="Domains whose e-mail addresses the platform has verified, separated by spaces."
        " Accounts are found by these addresses only. An asterisk allows all domains: only for a"
        " platform that confirms every address.",
    )
    is_active = models.BooleanField(default=True)

    class Meta:
        ordering = ("name", "pk")
        constraints = (
            models.UniqueConstraint(fields=["issuer", "client_id"], name="platform_once"),
            models.CheckConstraint(condition=~Q(name=""), name="platform_has_name"),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def identity_provider(self) -> str:
        return f"lti-{self.pk}"

    @property
    def deployments(self) -> list[str]:
        return [line.strip() for line in self.deployment_ids.splitlines() if line.strip()]

    def vouches_for(self, email: str) -> bool:
        """Return whether the platform is believed that an address is its user's."""
        domains = self.domains.lower().split()
        return "*" in domains or email.lower().rpartition("@")[2] in domains


class LinkedCourse(models.Model):
    """A course of a platform that an instructor has linked with one of ours."""

    platform = models.ForeignKey(Platform, models.CASCADE, related_name="linked_courses")
    deployment_id = models.CharField(max_length=255)
    context_id = models.CharField(max_length=255)
    title = models.CharField(max_length=200, blank=True)
    course = models.ForeignKey(Course, models.CASCADE, related_name="linked_courses")
    memberships_url = models.URLField(max_length=1000, blank=True)
    """Names and roles; empty if the platform does not offer them."""
    linked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    linked_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=["platform", "deployment_id", "context_id"], name="linked_course_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.title or self.context_id} ({self.platform})"


class LinkedAssignment(models.Model):
    """A link in a platform's course that opens an assignment, and the column for its points."""

    linked_course = models.ForeignKey(LinkedCourse, models.CASCADE, related_name="links")
    resource_link_id = models.CharField(max_length=255)
    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="linked_assignments")
    lineitem_url = models.URLField(max_length=1000, blank=True)
    """The column for points; empty if the link has none."""
    keeps_sending = models.BooleanField(default=False)
    sends_zeros = models.BooleanField(default=False)
    """Send no points at all as zero, once a student has no time left and nothing that counts."""
    column_maximum = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    """The maximum of the column, if it is larger than full points: so a bonus has room there."""
    swept_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=["linked_course", "resource_link_id"], name="linked_assignment_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.assignment} in {self.linked_course}"


class Score(models.Model):
    """A student's points as they were sent to a platform, or wait to be."""

    class State(models.TextChoices):
        """The state of sending."""

        WAITING = "waiting", "waiting"
        SENT = "sent", "sent"
        """The platform has answered that it took them; ``differs`` says whether it shows them."""
        FAILED = "failed", "failed"
        """Given up after several attempts; an instructor can send them again."""

    link = models.ForeignKey(LinkedAssignment, models.CASCADE, related_name="scores")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    points = models.DecimalField(max_digits=8, decimal_places=2, null=True)
    """``None``: the student has none any more, and the platform is to clear them."""
    maximum = models.DecimalField(max_digits=8, decimal_places=2)
    comment = models.TextField(blank=True)
    shown = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    """Points of the same maximum that the platform shows; ``None`` if it shows none."""
    read_at = models.DateTimeField(null=True, blank=True)
    """The time at which the platform said what it shows; ``None`` if it has not since sending."""
    state = models.CharField(max_length=7, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=["link", "user"], name="score_once"),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "sent", "failed"]), name="score_state_known"
            ),
        )
        indexes = (
            models.Index(fields=["due_at"], condition=Q(state="waiting"), name="score_waiting"),
        )

    def __str__(self) -> str:
        return f"{self.points} of {self.user}, {self.state}"

    @property
    def shown_words(self) -> str:
        if self.read_at is None:
            return "more than the maximum: the platform does not say what it shows"
        return "no points" if self.shown is None else f"{self.shown}"


def differs(prefix: str = "") -> Q:
    """Return the condition that a platform shows other points than it took, or may do so.

    Platforms cut points to their column's maximum, and accept them.
    """

    def of(**lookups: object) -> Q:
        return Q(**{prefix + name: value for name, value in lookups.items()})

    points = F(prefix + "points")
    others = of(shown__lt=points) | of(shown__gt=points)
    others |= of(shown__isnull=True, points__isnull=False)
    others |= of(shown__isnull=False, points__isnull=True)
    unread = of(read_at__isnull=True, points__gt=F(prefix + "maximum"))
    return of(state=Score.State.SENT) & (unread | (of(read_at__isnull=False) & others))
