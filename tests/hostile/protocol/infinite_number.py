"""Answers with a number beyond every double.

Verdict: malformed
"""

from hostile import Hostile, send


class InfiniteNumber(Hostile):
    def attack(self, observation):
        words = b'{"type":"action","turn":%d,"action":{"type":"discard","card":1e999}}\n'
        send(words % observation.turn)
