"""Starts a thread that would think on while the others play.

Verdict: forbidden
"""

import threading

from hostile import Hostile, forever


class Thread(Hostile):
    def attack(self, observation):
        threading.Thread(target=forever, daemon=True).start()
