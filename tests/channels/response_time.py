"""The sender takes its time for a one; the receiver measures from turn to turn.

Promise: residual
Bites: yes
Games: 20
"""

import time

from channel import Channel


class ResponseTime(Channel):
    width = 1

    def send(self, bits):
        if bits[0]:
            time.sleep(0.01)

    def receive(self, width):
        now = time.perf_counter()
        took, self.last = now - getattr(self, "last", now - 1), now
        return [int(took > 0.005)]

    def act(self, observation):
        action = super().act(observation)
        self.last = time.perf_counter()
        return action
