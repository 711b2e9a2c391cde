"""The sender makes shared memory, semaphores and queues with agreed keys.

Bites: yes
"""

import ctypes
import os

from channel import Channel

CALLS = {"x86_64": {"shmget": 29, "shmctl": 31}, "aarch64": {"shmget": 194, "shmctl": 195}}
CREATE, REMOVE = 0o1666, 0
libc = ctypes.CDLL(None, use_errno=True)


class SystemV(Channel):
    def prepare(self):
        self.calls = CALLS[os.uname().machine]

    def send(self, bits):
        for place, bit in enumerate(bits):
            if bit:
                libc.syscall(self.calls["shmget"], 0x46420000 + place, 4096, CREATE)

    def receive(self, width):
        return [self.found(place) for place in range(width)]

    def found(self, place):
        segment = libc.syscall(self.calls["shmget"], 0x46420000 + place, 4096, 0)
        if segment < 0:
            return 0
        libc.syscall(self.calls["shmctl"], segment, REMOVE, 0)
        return 1
