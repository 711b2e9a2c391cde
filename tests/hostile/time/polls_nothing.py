"""Waits in poll for something that never comes.

Verdict: idle
"""

import select

from hostile import Hostile


class PollsNothing(Hostile):
    def attack(self, observation):
        select.poll().poll(600_000)
