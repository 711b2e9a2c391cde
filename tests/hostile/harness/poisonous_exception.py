"""Raises an exception whose text takes for ever to make.

Verdict: timeout
"""

from hostile import Hostile, forever


class Poison(Exception):
    def __str__(self):
        forever()

    __repr__ = __str__


class PoisonousException(Hostile):
    def attack(self, observation):
        raise Poison
