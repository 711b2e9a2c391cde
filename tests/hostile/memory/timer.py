"""Sets a timer that runs in a thread of its own.

Verdict: forbidden
"""

import threading

from hostile import Hostile


class Timer(Hostile):
    def attack(self, observation):
        threading.Timer(0.01, print).start()
