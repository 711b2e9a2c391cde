"""The sender computes; the receiver reads other processes' clocks.

Games: 30
"""

import os
import time

from channel import Channel


class ClocksOfOthers(Channel):
    width = 1

    def send(self, bits):
        until = time.process_time() + 0.03 * bits[0]
        while time.process_time() < until:
            pass

    def receive(self, width):
        now = self.figure()
        took, self.last = now - getattr(self, "last", now), now
        return [int(took > 0.01)]

    def act(self, observation):
        action = super().act(observation)
        if self.guesses:
            self.last = self.attempt(self.figure) or 0
        return action

    def figure(self):
        total = 0.0
        for pid in range(1, 300):
            if pid != os.getpid():
                total += self.attempt(time.clock_gettime, (~pid << 3) | 2) or 0.0
        return total
