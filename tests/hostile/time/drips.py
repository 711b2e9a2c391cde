"""Writes one byte of its answer now and then, to move the deadline along.

Verdict: idle
"""

import time

from hostile import Hostile, send


class Drips(Hostile):
    def attack(self, observation):
        while True:
            send(b" ")
            time.sleep(0.1)
