"""Leaves its session and becomes a daemon that would outlive the game.

Verdict: forbidden
"""

import os

from hostile import Hostile, denied


class Daemon(Hostile):
    def attack(self, observation):
        denied("setsid", "setpgid")
        if os.fork() == 0 and os.fork() == 0:
            os.setsid()
