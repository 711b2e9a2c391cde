"""Ends with the status of a process that ran out of memory: another word for its own fault.

Verdict: memory
"""

import os

from hostile import Hostile


class ExitsAsIfOutOfMemory(Hostile):
    def attack(self, observation):
        os._exit(71)
