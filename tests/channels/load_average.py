"""The sender computes; the receiver reads the host's load, and how many processes there are.

Games: 30
"""

import os

from counter_channel import CounterChannel


class LoadAverage(CounterChannel):
    def figure(self):
        try:
            return os.getloadavg()[0]
        except OSError:
            with open("/proc/loadavg") as line:
                return float(line.read().split()[0])
