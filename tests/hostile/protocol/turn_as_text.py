"""Names the turn in text instead of as a number.

Verdict: malformed
"""

from hostile import Hostile, forever, send


class TurnAsText(Hostile):
    def attack(self, observation):
        send(
            b'{"type":"action","turn":"%d","action":{"type":"play","card":0}}\n' % observation.turn
        )
        forever()
