"""Sets timers that interrupt its computing, to answer in time from a handler.

Verdict: contained
"""

import signal

from hostile import Hostile, denied, refused


class InterruptsItself(Hostile):
    def attack(self, observation):
        for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
            refused("set a timer", signal.setitimer, timer, 0.05)
        denied("timer_create", "timerfd_create", "signalfd4", "eventfd2")
