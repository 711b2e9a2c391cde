"""The sender computes on after its answer; the receiver measures how much processor it gets itself.

Promise: residual
Bites: yes
Games: 20
"""

import os
import time

from channel import PROTOCOL_OUT, Channel


class Contention(Channel):
    width = 1

    def send(self, bits):
        self.busy = bits[0]

    def act(self, observation):
        action = super().act(observation)
        if self.sends and getattr(self, "busy", 0):
            line = b'{"type":"action","turn":%d,"action":{"type":"discard","card":0}}\n'
            os.write(PROTOCOL_OUT, line % observation.turn)
            until = time.process_time() + 0.012
            while time.process_time() < until:
                pass
            keep_quiet()
        return action

    def receive(self, width):
        wall, own = time.perf_counter(), time.process_time()
        while time.perf_counter() < wall + 0.012:
            pass
        return [int(time.perf_counter() - wall > 1.15 * (time.process_time() - own))]


def keep_quiet():
    """Let the adapter's own answer go nowhere."""
    write = os.write

    def nowhere(descriptor, data):
        os.write = write
        return len(data)

    os.write = nowhere
