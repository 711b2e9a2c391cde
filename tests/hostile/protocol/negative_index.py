"""Plays the card before the first.

Verdict: illegal
"""

from hostile import Hostile, forever, send


class NegativeIndex(Hostile):
    def attack(self, observation):
        send(b'{"type":"action","turn":%d,"action":{"type":"play","card":-1}}\n' % observation.turn)
        forever()
