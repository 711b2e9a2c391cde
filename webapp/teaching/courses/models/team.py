"""The students who submit together."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from webapp.base.storable import validate_name
from webapp.base.timezones import validate_date
from webapp.teaching.courses.models.assignment import Assignment
from webapp.teaching.courses.models.course import new_code


class Team(models.Model):
    """One or more students who submit together to one assignment."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="teams")
    name = models.CharField(
        max_length=80,
        validators=[validate_name],
        help_text="Shown only to staff and to the team itself.",
    )
    alias = models.CharField(max_length=40, editable=False)
    """Random, shown on leaderboards; never derived from names or ids."""
    join_code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    """Partners enter it to join."""
    extended_due_at = models.DateTimeField(
        validators=[validate_date],
        null=True,
        blank=True,
        help_text="An extension: replaces the assignment's deadline if later.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    users = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="courses.Membership", related_name="teams"
    )

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=["assignment", "alias"], name="team_alias_unique"),
            models.UniqueConstraint(fields=["assignment", "name"], name="team_name_unique"),
            models.CheckConstraint(condition=~Q(alias=""), name="team_has_alias"),
        )

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A student in a team. Repeats the assignment, so that one team each can be a constraint."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="memberships")
    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="memberships")
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=["assignment", "user"], name="membership_one_team_each"),
        )

    def __str__(self) -> str:
        return f"{self.user} in {self.team}"
