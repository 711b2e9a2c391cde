"""Waits for a signal that never comes, again and again.

Verdict: timeout
"""

import signal

from hostile import Hostile


class Pauses(Hostile):
    def attack(self, observation):
        while True:
            signal.pause()
