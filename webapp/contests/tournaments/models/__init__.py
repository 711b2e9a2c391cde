"""The models of this app, one file a subject."""

from webapp.contests.tournaments.models.audit import TournamentAudit
from webapp.contests.tournaments.models.game import TournamentGame
from webapp.contests.tournaments.models.participant import Participant
from webapp.contests.tournaments.models.tournament import Stage, Tournament
