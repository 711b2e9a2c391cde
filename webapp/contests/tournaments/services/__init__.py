"""Changes to tournaments. Permissions are checked where a person asks (``staff``)."""
# See webapp/decisions/tournament-tables-ahead.md

from webapp.contests.tournaments.auditing import DEFAULT_GAMES, start_audit
from webapp.contests.tournaments.services.places import give_place_points
from webapp.contests.tournaments.services.staff import cancel, exclude, release, resume
from webapp.contests.tournaments.services.starting import (
    TournamentSetting,
    start_tournament,
    table_spread,
)
