"""Unpickles a value that runs a program when it is made.

Verdict: forbidden
"""

import os
import pickle

from hostile import Hostile


class Bomb:
    def __reduce__(self):
        return os.system, ("id",)


class Pickles(Hostile):
    def attack(self, observation):
        return pickle.loads(pickle.dumps(Bomb()))
