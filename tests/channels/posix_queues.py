"""The sender makes message queues with agreed names; the receiver asks which there are.

Bites: yes
"""

import ctypes
import os

from channel import Channel, refused

CALLS = {"x86_64": (240, 241), "aarch64": (180, 181)}
SMALL = (ctypes.c_long * 8)(0, 1, 1)
libc = ctypes.CDLL(None, use_errno=True)


class PosixQueues(Channel):
    width = 32

    def prepare(self):
        self.open, self.unlink = CALLS[os.uname().machine]

    def send(self, bits):
        for place, bit in enumerate(bits):
            if bit:
                flags = os.O_CREAT | os.O_RDWR
                queue = libc.syscall(self.open, b"firebox-%d" % place, flags, 0o666, SMALL)
                os.close(refused(queue))

    def receive(self, width):
        return [
            int(libc.syscall(self.unlink, b"firebox-%d" % place) == 0) for place in range(width)
        ]
