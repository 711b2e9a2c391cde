"""Fills standard error through the library's own ways of warning.

Verdict: contained
Limits: turn_seconds=5.0 turn_wall_seconds=15.0
"""

import logging
import warnings

from hostile import Hostile


class Warns(Hostile):
    def attack(self, observation):
        warnings.simplefilter("always")
        for number in range(500):
            warnings.warn(f"warning {number} " + "x" * 500, stacklevel=1)
            logging.critical("message %d %s", number, "\x1b[2J" * 50)
