"""Tries a move that the game does not have.

Verdict: illegal
"""

from hostile import Hostile, forever, send


class UnknownAction(Hostile):
    def attack(self, observation):
        send(b'{"type":"action","turn":%d,"action":{"type":"peek","card":0}}\n' % observation.turn)
        forever()
