"""Stops itself and its parent, so that nobody can say it was computing.

Verdict: contained
"""

import os
import signal

from hostile import Hostile, call, denied, refused


class StopsItself(Hostile):
    def attack(self, observation):
        refused("stop itself", os.kill, os.getpid(), signal.SIGSTOP)
        refused("raise SIGSTOP", signal.raise_signal, signal.SIGSTOP)
        refused("stop its parent", os.kill, os.getppid(), signal.SIGSTOP)
        denied("tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal")
        call("kill", 0, signal.SIGSTOP)
