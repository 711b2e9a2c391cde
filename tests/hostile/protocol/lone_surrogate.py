"""Sends half of a character.

Verdict: malformed
"""

from hostile import Hostile, forever, send


class LoneSurrogate(Hostile):
    def attack(self, observation):
        send(b'{"type":"action","turn":%d,"action":{"type":"\\ud800"}}\n' % observation.turn)
        forever()
