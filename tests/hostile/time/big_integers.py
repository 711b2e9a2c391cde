"""Computes for ever inside one call of C code, which never looks at signals.

Verdict: timeout
"""

from hostile import Hostile


class BigIntegers(Hostile):
    def attack(self, observation):
        return 3 ** (10**9)
