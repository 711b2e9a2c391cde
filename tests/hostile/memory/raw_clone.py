"""Starts a process with the bare clone call.

Verdict: forbidden
"""

import signal

from hostile import Hostile, call


class RawClone(Hostile):
    def attack(self, observation):
        call("clone", signal.SIGCHLD, 0, 0, 0, 0)
