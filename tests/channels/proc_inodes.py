"""The sender looks at files in /proc, which the kernel numbers as they are looked at."""

import os

from channel import Channel, digits, number


class ProcInodes(Channel):
    width = 4

    def send(self, bits):
        for k in range(8 * number(bits)):
            self.attempt(os.stat, f"/proc/self/task/{os.getpid()}/fdinfo/{k % 3}")
            self.attempt(os.stat, f"/proc/{k + 1}/comm")

    def receive(self, width):
        now = os.stat(f"/proc/self/task/{os.getpid()}/net").st_ino
        steps, self.last = now - getattr(self, "last", now), now
        return digits(round(steps / 8), width)
