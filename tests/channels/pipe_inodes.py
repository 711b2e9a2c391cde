"""The sender makes pipes, which the kernel numbers in one sequence for everybody.

Bites: yes
"""

import os

from channel import Channel, digits, number


class PipeInodes(Channel):
    width = 4

    def send(self, bits):
        for _ in range(8 * number(bits)):
            self.inode()

    def receive(self, width):
        now = self.inode()
        steps, self.last = now - getattr(self, "last", now), now
        return digits(round(steps / 8), width)

    def act(self, observation):
        action = super().act(observation)
        if self.guesses:
            self.last = self.attempt(self.inode) or 0
        return action

    def prepare(self):
        self.last = self.inode()

    def inode(self):
        ends = os.pipe()
        try:
            return os.fstat(ends[0]).st_ino
        finally:
            for end in ends:
                os.close(end)
