"""Fills a set with numbers of one hash value: quadratic work inside the interpreter.

Verdict: timeout
"""

from hostile import Hostile

MODULUS = (1 << 61) - 1


class CollidingHashes(Hostile):
    def attack(self, observation):
        return len({k * MODULUS for k in range(1, 100_000)})
