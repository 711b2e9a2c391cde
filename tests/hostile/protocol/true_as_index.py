"""Plays the card at position true.

Verdict: illegal
"""

from hostile import Hostile, send


class TrueAsIndex(Hostile):
    def attack(self, observation):
        words = b'{"type":"action","turn":%d,"action":{"type":"play","card":true}}\n'
        send(words % observation.turn)
