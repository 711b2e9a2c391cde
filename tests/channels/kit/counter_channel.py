"""A counter that grows while somebody computes, as a channel of one bit a turn."""

import time

from channel import Channel


class CounterChannel(Channel):
    width = 1
    idle = 0.0
    """What the counter grows by in a turn without the sender."""

    def send(self, bits):
        until = time.process_time() + 0.03 * bits[0]
        while time.process_time() < until:
            pass

    def receive(self, width):
        now = self.figure()
        took, self.last = now - getattr(self, "last", now), now
        return [int(took > self.idle)]

    def act(self, observation):
        action = super().act(observation)
        if self.guesses:
            self.last = self.attempt(self.figure) or 0
        return action

    def figure(self):
        """Read the counter."""
        raise NotImplementedError
