"""A plugin of pytest: Firebox as it would be without Hearts."""

from grader.core import games

del games.GAMES["hearts"]
