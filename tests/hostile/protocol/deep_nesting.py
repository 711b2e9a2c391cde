"""Answers with brackets nested as deeply as a line can hold.

Verdict: malformed
"""

from hostile import Hostile, send


class DeepNesting(Hostile):
    def attack(self, observation):
        send(b'{"x":' + b"[" * 2000 + b"]" * 2000 + b"}\n")
