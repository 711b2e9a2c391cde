"""The replay audit of one participant's games in a tournament."""

from django.db import models

from webapp.contests.tournaments.models.participant import Participant
from webapp.grading.evaluations.models import AuditRun


class TournamentAudit(AuditRun):
    """The audit of a participant, at most one for each."""

    participant = models.OneToOneField(Participant, models.CASCADE, related_name="audit")
    indices = models.JSONField(default=list)
    """The sample: indices of games in the plan. A tournament can go on, and add to the others."""

    def __str__(self) -> str:
        return f"audit of {self.participant_id}"
