"""The sender computes; the receiver reads from /proc/stat how busy the host was.

Bites: yes
Games: 30
"""

import time

from channel import Channel


class HostTicks(Channel):
    width = 1

    def send(self, bits):
        until = time.process_time() + 0.03 * bits[0]
        while time.process_time() < until:
            pass

    def receive(self, width):
        now = self.figure()
        took, self.last = now - getattr(self, "last", now), now
        return [int(took > 1)]

    def act(self, observation):
        action = super().act(observation)
        if self.guesses:
            self.last = self.attempt(self.figure) or 0
        return action

    def figure(self):
        with open("/proc/stat") as lines:
            return sum(int(word) for word in lines.readline().split()[1:3])
