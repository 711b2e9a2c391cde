"""The models of this app, one file a subject."""

from webapp.tournaments.models.audit import TournamentAudit
from webapp.tournaments.models.game import TournamentGame
from webapp.tournaments.models.participant import Participant
from webapp.tournaments.models.tournament import Stage, Tournament

__all__ = ["Participant", "Stage", "Tournament", "TournamentAudit", "TournamentGame"]
