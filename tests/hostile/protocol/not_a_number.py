"""Answers with numbers that JSON does not have.

Verdict: malformed
"""

from hostile import Hostile, send


class NotANumber(Hostile):
    def attack(self, observation):
        words = b'{"type":"action","turn":%d,"action":{"type":"discard","card":NaN}}\n'
        send(words % observation.turn)
