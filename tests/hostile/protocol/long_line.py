"""Answers with a line of ten mebibytes.

Verdict: output
"""

from hostile import Hostile, send


class LongLine(Hostile):
    def attack(self, observation):
        send(b"x" * (10 << 20) + b"\n")
