"""Has the interpreter watch over it from a thread.

Verdict: forbidden
"""

import faulthandler

from hostile import Hostile


class Watchdog(Hostile):
    def attack(self, observation):
        faulthandler.dump_traceback_later(0.05)
