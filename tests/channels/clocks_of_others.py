"""The sender computes; the receiver reads other processes' clocks.

Games: 30
"""

import os
import time

from counter_channel import CounterChannel


class ClocksOfOthers(CounterChannel):
    idle = 0.01

    def figure(self):
        total = 0.0
        for pid in range(1, 300):
            if pid != os.getpid():
                total += self.attempt(time.clock_gettime, (~pid << 3) | 2) or 0.0
        return total
