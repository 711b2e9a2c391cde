"""Answers in what some readers take for JSON: comments, and a comma too many.

Verdict: malformed
"""

from hostile import Hostile, send


class LenientJson(Hostile):
    def attack(self, observation):
        send(
            b'{"type":"action",/* mine */"turn":%d,"action":{"type":"discard","card":0,},}\n'
            % observation.turn
        )
