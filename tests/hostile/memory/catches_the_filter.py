"""Installs a handler for the filter's signal, and then starts a thread.

Verdict: forbidden
"""

import signal
import threading

from hostile import Hostile


class CatchesTheFilter(Hostile):
    def attack(self, observation):
        signal.signal(signal.SIGSYS, lambda number, frame: None)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGSYS})
        threading.Thread(target=print).start()
