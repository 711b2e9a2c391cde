"""Starts another program with subprocess.

Verdict: crash
"""

import subprocess

from hostile import Hostile


class Subprocesses(Hostile):
    def attack(self, observation):
        # Ends with PermissionError: it may not even make the pipe to its child.
        subprocess.run(["/usr/bin/python3", "-V"], check=False)
