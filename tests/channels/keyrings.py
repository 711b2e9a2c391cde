"""The sender puts keys on its user's keyring; the receiver asks for them.

Bites: yes
"""

import ctypes
import os

from channel import Channel

CALLS = {"x86_64": (248, 249, 250), "aarch64": (217, 218, 219)}
USER_KEYRING, UNLINK = -4, 9
libc = ctypes.CDLL(None, use_errno=True)


class Keyrings(Channel):
    def prepare(self):
        self.add, self.request, self.control = CALLS[os.uname().machine]

    def send(self, bits):
        for place, bit in enumerate(bits):
            if bit:
                libc.syscall(self.add, b"user", b"firebox-%d" % place, b"1", 1, USER_KEYRING)

    def receive(self, width):
        return [self.found(place) for place in range(width)]

    def found(self, place):
        search = 10
        key = libc.syscall(self.control, search, USER_KEYRING, b"user", b"firebox-%d" % place, 0)
        if key < 0:
            return 0
        libc.syscall(self.control, UNLINK, key, USER_KEYRING)
        return 1
