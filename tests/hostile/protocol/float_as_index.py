"""Plays the card at position 1.0.

Verdict: illegal
"""

from hostile import Hostile, send


class FloatAsIndex(Hostile):
    def attack(self, observation):
        words = b'{"type":"action","turn":%d,"action":{"type":"play","card":1.0}}\n'
        send(words % observation.turn)
