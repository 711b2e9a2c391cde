"""Answers with null for an action.

Verdict: malformed
"""

from hostile import Hostile, forever, send


class NoAction(Hostile):
    def attack(self, observation):
        send(b'{"type":"action","turn":%d,"action":null}\n' % observation.turn)
        forever()
