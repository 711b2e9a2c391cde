"""Has the kernel compute for it: random bytes without end.

Verdict: timeout
"""

import os

from hostile import Hostile


class KernelWork(Hostile):
    def attack(self, observation):
        while os.getrandom(1 << 22):
            pass
