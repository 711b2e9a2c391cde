"""Answers with an empty line.

Verdict: malformed
"""

from hostile import Hostile, forever, send


class EmptyLine(Hostile):
    def attack(self, observation):
        send(b"\n")
        forever()
