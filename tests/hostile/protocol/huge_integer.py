"""Answers with an integer of four thousand digits.

Verdict: illegal
"""

from hostile import Hostile, send


class HugeInteger(Hostile):
    def attack(self, observation):
        words = b'{"type":"action","turn":%d,"action":{"type":"discard","card":%b}}\n'
        send(words % (observation.turn, b"9" * 4000))
