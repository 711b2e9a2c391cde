"""The sender evicts the processor's caches or leaves them; the receiver times reads of memory.

Promise: residual
Games: 30
"""

import time

from channel import Channel

SIZE = 2 << 20


class CacheTime(Channel):
    width = 1

    def prepare(self):
        self.own = bytearray(SIZE)
        self.other = bytearray(32 << 20) if self.sends else b""

    def send(self, bits):
        if bits[0]:
            self.other.count(1)

    def receive(self, width):
        took = self.timed()
        usual, self.usual = getattr(self, "usual", took), took
        return [int(took > usual)]

    def act(self, observation):
        action = super().act(observation)
        if self.guesses:
            self.timed()
            self.usual = 1.15 * self.timed()
        return action

    def timed(self):
        began = time.perf_counter_ns()
        self.own.count(1)
        return time.perf_counter_ns() - began
