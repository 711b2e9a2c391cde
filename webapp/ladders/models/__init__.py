"""The models of this app, one file a subject."""

from webapp.ladders.models.entry import Departure, LadderEntry
from webapp.ladders.models.game import LadderGame, TableRow
from webapp.ladders.models.ladder import Ladder

__all__ = ["Departure", "Ladder", "LadderEntry", "LadderGame", "TableRow"]
