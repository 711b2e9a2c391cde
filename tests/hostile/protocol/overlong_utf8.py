"""Hides letters of its answer in longer sequences of bytes than UTF-8 allows.

Verdict: malformed
"""

from hostile import Hostile, send


class OverlongUtf8(Hostile):
    def attack(self, observation):
        discard = b"".join(
            bytes([0xC0 | letter >> 6, 0x80 | letter & 0x3F]) for letter in b"discard"
        )
        send(
            b'{"type":"action","turn":%d,"action":{"type":"%b","card":0}}\n'
            % (observation.turn, discard)
        )
