"""Answers with a list.

Verdict: malformed
"""

from hostile import Hostile, forever, send


class ListForAnObject(Hostile):
    def attack(self, observation):
        send(b'["action",%d,{"type":"play","card":0}]\n' % observation.turn)
        forever()
