"""Participants of a tournament, and whether they were removed."""

import msgspec
from django.conf import settings
from django.db import models
from django.db.models import Q

from grader import tournament as core
from grader.core.records import AgentRef
from grader.tournament import Role
from webapp.submissions.models import Submission
from webapp.tournaments.models.tournament import Tournament


class Participant(models.Model):
    """A submission or a house agent, known everywhere by its number."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="participants")
    number = models.PositiveIntegerField()
    """Position in the plan: entrants from 0, then references, then fillers."""
    role = models.CharField(max_length=10, choices=[(role.value, role.value) for role in Role])
    name = models.CharField(max_length=80)
    """The team's alias, or the house agent's name: anonymous."""
    submission = models.ForeignKey(
        Submission, models.PROTECT, null=True, blank=True, related_name="tournaments"
    )
    house_agent = models.CharField(max_length=40, blank=True)
    agent = models.JSONField()
    """AgentRef as JSON: exactly which version plays."""

    excluded_from_round = models.PositiveIntegerField(null=True, blank=True)
    """Staff took it out: its games of this round and later ones are played without it."""
    exclusion_reason = models.CharField(max_length=200, blank=True)
    excluded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    """``None`` while it plays, or if the site removed it because it could not be built."""
    excluded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["tournament", "number"], name="participant_number"),
            models.UniqueConstraint(
                fields=["tournament", "submission"],
                condition=Q(submission__isnull=False),
                name="participant_once",
            ),
            models.CheckConstraint(
                condition=Q(submission__isnull=False, house_agent="", role=Role.ENTRANT.value)
                | (
                    Q(submission__isnull=True, role__in=[Role.REFERENCE.value, Role.FILLER.value])
                    & ~Q(house_agent="")
                ),
                name="participant_is_team_or_house",
            ),
            models.CheckConstraint(
                condition=Q(excluded_from_round__isnull=True, exclusion_reason="")
                | (
                    Q(excluded_from_round__isnull=False, excluded_at__isnull=False)
                    & ~Q(exclusion_reason="")
                ),
                name="participant_exclusion_has_reason",
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def is_out(self) -> bool:
        """True if staff took it out. Who was removed for faults follows from the games."""
        return self.excluded_from_round is not None

    @property
    def is_disqualified(self) -> bool:
        """True if staff took it out from the beginning: none of its games counts."""
        return self.excluded_from_round == 0

    @property
    def out_since(self) -> str:
        """A text on the round from which staff removed it; empty if they did not."""
        if self.excluded_from_round is None:
            return ""
        if self.is_disqualified:
            return "disqualified, all its games are void"
        return f"withdrawn from round {self.excluded_from_round} on"

    @property
    def as_value(self) -> core.Participant:
        """For the plan, the ledger and graders."""
        return core.Participant(
            name=self.name, agent=msgspec.convert(self.agent, AgentRef), role=Role(self.role)
        )

    @property
    def exclusion(self) -> core.Exclusion | None:
        """For the ledger."""
        if self.excluded_from_round is None:
            return None
        return core.Exclusion(
            participant=self.number,
            from_round=self.excluded_from_round,
            reason=self.exclusion_reason,
        )
