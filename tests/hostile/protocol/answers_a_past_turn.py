"""Answers the turn before last instead of this one, as if it had come late.

Verdict: malformed
"""

from hostile import Hostile, send


class AnswersAPastTurn(Hostile):
    def attack(self, observation):
        answer = b'{"type":"action","turn":%d,"action":{"type":"discard","card":0}}\n'
        send(answer % (observation.turn - 2))
