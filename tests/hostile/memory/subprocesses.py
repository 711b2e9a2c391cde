"""Starts another program with subprocess.

Verdict: forbidden
"""

import os
import subprocess

from hostile import Hostile


class Subprocesses(Hostile):
    def attack(self, observation):
        # Without pipes and /dev/null, which are refused before it comes to a process.
        subprocess.run(["/usr/bin/python3", "-V"], stdin=os.dup(2), check=False)
