"""The sender locks whole files of the library; the receiver tries to lock them against it.

Bites: yes
"""

import _json
import fcntl
import os

from channel import Channel


class FileLocks(Channel):
    def prepare(self):
        folder = os.path.dirname(_json.__file__)
        names = sorted(name for name in os.listdir(folder) if name.endswith(".so"))[:8]
        self.files = [os.open(f"{folder}/{name}", os.O_RDONLY) for name in names]

    width = 8

    def send(self, bits):
        for file, bit in zip(self.files, bits, strict=False):
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB if bit else fcntl.LOCK_UN)

    def receive(self, width):
        return [int(not self.attempt(self.lock, file)) for file in self.files]

    def lock(self, file):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(file, fcntl.LOCK_UN)
        return True
