"""The sender computes on after its answer; the receiver measures how much processor it gets itself.

Promise: residual
Bites: yes
Games: 20
"""

import time

from channel import Channel


class Contention(Channel):
    width = 1

    def send(self, bits):
        self.busy = bits[0]

    def act(self, observation):
        action = super().act(observation)
        if self.sends and getattr(self, "busy", 0):
            self.answer(observation.turn)
            until = time.process_time() + 0.012
            while time.process_time() < until:
                pass
        return action

    def receive(self, width):
        wall, own = time.perf_counter(), time.process_time()
        while time.perf_counter() < wall + 0.012:
            pass
        return [int(time.perf_counter() - wall > 1.15 * (time.process_time() - own))]
