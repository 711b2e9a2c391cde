"""Answers correctly, but after the limit.

Verdict: timeout
"""

import time

from hostile import Hostile


class AnswersLate(Hostile):
    def attack(self, observation):
        until = time.process_time() + 0.5
        while time.process_time() < until:
            pass
