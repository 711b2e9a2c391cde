"""Closes the pipe it answers through, and lives on.

Verdict: crash
"""

import os
import time

from hostile import PROTOCOL_OUT, Hostile


class ClosesStdout(Hostile):
    def attack(self, observation):
        os.close(PROTOCOL_OUT)
        time.sleep(600)
