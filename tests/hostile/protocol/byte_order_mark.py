"""Begins its answer with a byte order mark.

Verdict: malformed
"""

from hostile import Hostile, send


class ByteOrderMark(Hostile):
    def attack(self, observation):
        send(b"\xef\xbb\xbf")
