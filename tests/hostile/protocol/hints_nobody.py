"""Gives a hint to a seat that is not there.

Verdict: illegal
"""

from hostile import Hostile, forever, send


class HintsNobody(Hostile):
    def attack(self, observation):
        send(
            b'{"type":"action","turn":%d,"action":{"type":"hint","to":7,"rank":1}}\n'
            % observation.turn
        )
        forever()
