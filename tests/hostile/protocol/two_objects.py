"""Answers with two objects in one line.

Verdict: malformed
"""

from hostile import Hostile, forever, send


class TwoObjects(Hostile):
    def attack(self, observation):
        send(
            b'{"type":"action","turn":%d,"action":{"type":"play","card":0}}{}\n' % observation.turn
        )
        forever()
