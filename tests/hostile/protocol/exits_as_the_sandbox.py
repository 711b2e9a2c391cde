"""Ends with the status that means that the sandbox has failed, so that the game be played again.

Verdict: crash
"""

import os

from hostile import Hostile


class ExitsAsTheSandbox(Hostile):
    def attack(self, observation):
        os.write(2, b"sandbox: cannot confine the agent: OSError(1)\n")
        os._exit(78)
