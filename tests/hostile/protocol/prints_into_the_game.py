"""Points standard error at the game's pipe and prints.

Verdict: malformed
"""

import os
import sys

from hostile import PROTOCOL_OUT, Hostile


class PrintsIntoTheGame(Hostile):
    def attack(self, observation):
        os.dup2(PROTOCOL_OUT, 2)
        print("hello", file=sys.stderr, flush=True)
