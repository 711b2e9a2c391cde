"""Makes a bytearray of a gibibyte and touches all of it.

Verdict: memory
"""

from hostile import Hostile


class HugeBytes(Hostile):
    def attack(self, observation):
        return bytearray(1 << 30).replace(b"\0", b"\1")
