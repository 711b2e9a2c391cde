"""Answers in UTF-16, which lenient readers of JSON detect by themselves.

Verdict: malformed
"""

from hostile import Hostile, send


class Utf16(Hostile):
    def attack(self, observation):
        text = '{"type":"action","turn":%d,"action":{"type":"discard","card":0}}\n'
        send((text % observation.turn).encode("utf-16"))
