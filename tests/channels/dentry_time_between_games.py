"""A game looks for files that are not there; the next one times the same look-ups.

Between: games
Games: 30
"""

import os

from dentry_channel import DentryChannel


class DentryTimeBetweenGames(DentryChannel):
    between = "games"

    def now(self):
        return os.getpid()

    def before(self):
        """Processes of a seat are numbered one after another."""
        return os.getpid() - 1
