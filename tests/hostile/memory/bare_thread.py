"""Starts a thread below the threading module and catches what that raises.

Verdict: forbidden
"""

import _thread
import contextlib

from hostile import Hostile


class BareThread(Hostile):
    def attack(self, observation):
        with contextlib.suppress(BaseException):
            _thread.start_new_thread(print, ())
