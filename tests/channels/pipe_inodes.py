"""The sender makes pipes, which the kernel numbers in one sequence for everybody.

Bites: yes
"""

import os

from channel import digits, number
from counter_channel import CounterChannel


class PipeInodes(CounterChannel):
    width = 4

    def send(self, bits):
        for _ in range(8 * number(bits)):
            self.figure()

    def receive(self, width):
        now = self.figure()
        steps, self.last = now - getattr(self, "last", now), now
        return digits(round(steps / 8), width)

    def prepare(self):
        self.last = self.figure()

    def figure(self):
        ends = os.pipe()
        try:
            return os.fstat(ends[0]).st_ino
        finally:
            for end in ends:
                os.close(end)
