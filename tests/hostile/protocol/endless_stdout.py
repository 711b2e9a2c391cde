"""Writes short lines to the game for ever.

Verdict: malformed
"""

from hostile import Hostile, send


class EndlessStdout(Hostile):
    def attack(self, observation):
        while True:
            send(b"\n" * 1000)
