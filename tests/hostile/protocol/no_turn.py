"""Answers without saying which turn it means.

Verdict: malformed
"""

from hostile import Hostile, forever, send


class NoTurn(Hostile):
    def attack(self, observation):
        send(b'{"type":"action","action":{"type":"play","card":0}}\n')
        forever()
