"""Answers to the turn of the seat after it.

Verdict: malformed
"""

from hostile import Hostile, send


class WrongTurn(Hostile):
    def attack(self, observation):
        answer = b'{"type":"action","turn":%d,"action":{"type":"discard","card":0}}\n'
        send(answer % (observation.turn + 1))
