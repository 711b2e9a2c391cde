"""Participants of a tournament, and whether they were removed."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from grader.tournament import Exclusion, ParticipantRole
from webapp.contests.tables.contests import ContestEntry
from webapp.contests.tournaments.models.tournament import Tournament
from webapp.grading.submissions.models import Submission


class Participant(ContestEntry):
    """An entry of a tournament.

    Numbers are positions in the plan: entrants from 0, then references, then fillers.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="participants")
    role = models.CharField(
        max_length=10, choices=[(role.value, role.value) for role in ParticipantRole]
    )
    submission = models.ForeignKey(
        Submission, models.PROTECT, null=True, blank=True, related_name="tournaments"
    )

    excluded_from_round = models.PositiveIntegerField(null=True, blank=True)
    """Staff took it out: its games of this round and later ones are played without it."""
    exclusion_reason = models.CharField(max_length=200, blank=True)
    excluded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    """``None`` while it plays, or if the site removed it because it could not be built."""
    excluded_at = models.DateTimeField(null=True, blank=True)

    class Meta(ContestEntry.Meta):
        constraints = (
            models.UniqueConstraint(fields=["tournament", "number"], name="participant_number"),
            models.UniqueConstraint(
                fields=["tournament", "submission"],
                condition=Q(submission__isnull=False),
                name="participant_once",
            ),
            models.CheckConstraint(
                condition=Q(
                    submission__isnull=False, house_agent="", role=ParticipantRole.ENTRANT.value
                )
                | (
                    Q(
                        submission__isnull=True,
                        role__in=[ParticipantRole.REFERENCE.value, ParticipantRole.FILLER.value],
                    )
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

    @property
    def is_out(self) -> bool:
        """True if staff took it out. Removals for faults follow from the games."""
        return self.excluded_from_round is not None

    @property
    def is_disqualified(self) -> bool:
        """True if staff took it out from the beginning: none of its games counts."""
        return self.excluded_from_round == 0

    @property
    def out_since(self) -> str:
        if self.excluded_from_round is None:
            return ""
        if self.is_disqualified:
            return "disqualified, all its games are void"
        return f"withdrawn from round {self.excluded_from_round} on"

    @property
    def plays_as(self) -> ParticipantRole:
        return ParticipantRole(self.role)

    @property
    def exclusion(self) -> Exclusion | None:
        if self.excluded_from_round is None:
            return None
        return Exclusion(
            participant=self.number,
            from_round=self.excluded_from_round,
            reason=self.exclusion_reason,
        )
