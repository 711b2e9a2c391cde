"""The models of this app, one file a subject."""

from webapp.contests.ladders.models.entry import Departure, LadderEntry
from webapp.contests.ladders.models.game import LadderGame, TableRow
from webapp.contests.ladders.models.ladder import Ladder
