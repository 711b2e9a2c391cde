"""Puts NUL bytes into its answer.

Verdict: malformed
"""

from hostile import Hostile, send


class NulBytes(Hostile):
    def attack(self, observation):
        send(b"\0\0\0")
