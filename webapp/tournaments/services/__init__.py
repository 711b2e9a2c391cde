"""Changes to tournaments. Permissions are checked where a person asks (``staff``)."""
# See webapp/decisions/tournament-tables-ahead.md

from webapp.tournaments.auditing import DEFAULT_GAMES, start_audit
from webapp.tournaments.services.places import give_place_points
from webapp.tournaments.services.staff import cancel, exclude, release, resume
from webapp.tournaments.services.starting import TournamentSetting, start_tournament, table_spread

__all__ = [
    "DEFAULT_GAMES",
    "TournamentSetting",
    "cancel",
    "exclude",
    "give_place_points",
    "release",
    "resume",
    "start_audit",
    "start_tournament",
    "table_spread",
]
