"""Names a colour and a rank in one hint.

Verdict: illegal
"""

from hostile import Hostile, forever, send


class HintsTwoThings(Hostile):
    def attack(self, observation):
        send(
            b'{"type":"action","turn":%d,"action":{"type":"hint","to":%d,"rank":1,"color":"R"}}\n'
            % (observation.turn, 1 - observation.seat)
        )
        forever()
