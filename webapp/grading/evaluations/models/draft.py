"""A draft: files of an agent that are edited on the site, and the last try of them."""

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q

from webapp.base.interfaces import choices
from webapp.grading.evaluations.models.evaluation import Evaluation
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Enrolment, Membership, Team


class DraftQuerySet(models.QuerySet["Draft"]):
    """Drafts, filtered by what a person may see."""

    def of(self, user: User) -> Self:
        """The user's and their team's, while in the course. Nobody else's, not even for staff."""
        team = Membership.objects.filter(team=OuterRef("team"), user=user)
        enrolled = Enrolment.objects.active().filter(
            course=OuterRef("assignment__course"), user=user
        )
        return self.filter(Q(author=user) | Exists(team), Exists(enrolled))


# See webapp/decisions/drafts.md
class Draft(models.Model):
    """Files on the way to an upload. It is no submission: nothing counts, lists or exports it."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="+")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    team = models.ForeignKey(Team, models.SET_NULL, null=True, blank=True, related_name="+")
    """The author's team when it was last saved: its members share the draft."""
    origin = models.ForeignKey(Submission, models.SET_NULL, null=True, blank=True, related_name="+")
    """The submission that it began as, or became last; ``None``: it began as a starter kit."""
    interface = models.CharField(max_length=20, choices=choices)
    data = models.BinaryField()
    """The files as ``grader.uploads.archive`` packs them, deflated."""
    revision = models.PositiveIntegerField(default=1)
    """Counts the times that it was saved: nobody saves over changes that they have not seen."""
    edited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    edited_at = models.DateTimeField()
    tried = models.ForeignKey(Evaluation, models.SET_NULL, null=True, blank=True, related_name="+")
    tried_revision = models.PositiveIntegerField(default=0)
    """The revision that was tried, or refused."""
    messages = models.JSONField(default=list, blank=True)

    objects = DraftQuerySet.as_manager()

    class Meta:
        ordering = ("-edited_at", "-pk")
        constraints = (
            models.CheckConstraint(condition=~Q(interface=""), name="draft_has_an_interface"),
        )

    def __str__(self) -> str:
        return f"draft of {self.author}, {self.assignment}"
