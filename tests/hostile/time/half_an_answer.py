"""Sends half of its answer in time and the other half never.

Verdict: timeout
"""

from hostile import Hostile, forever, send


class HalfAnAnswer(Hostile):
    def attack(self, observation):
        send(b'{"type":"action","turn":%d,"act' % observation.turn)
        forever()
