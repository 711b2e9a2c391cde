"""Ignores every signal that can be ignored, blocks the rest, and computes for ever.

Verdict: timeout
"""

import signal

from hostile import Hostile, forever


class IgnoresSignals(Hostile):
    def attack(self, observation):
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        forever()
