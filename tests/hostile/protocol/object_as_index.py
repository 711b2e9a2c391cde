"""Sends an object where a number belongs.

Verdict: malformed
"""

from hostile import Hostile, forever, send


class ObjectAsIndex(Hostile):
    def attack(self, observation):
        send(
            b'{"type":"action","turn":%d,"action":{"type":"play","card":{"a":1}}}\n'
            % observation.turn
        )
        forever()
