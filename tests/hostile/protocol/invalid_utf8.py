"""Answers in something that is not UTF-8.

Verdict: malformed
"""

from hostile import Hostile, send


class InvalidUtf8(Hostile):
    def attack(self, observation):
        send(b'{"type":"action","turn":%d,"action":{"type":"\xff\xfe"}}\n' % observation.turn)
