"""The sender locks whole files of the library; the receiver tries to lock them against it.

Bites: yes
"""

import fcntl
import os

from channel import Channel
from library import library_files


class FileLocks(Channel):
    width = 8

    def prepare(self):
        self.files = [os.open(path, os.O_RDONLY) for path in library_files()[: self.width]]

    def send(self, bits):
        for file, bit in zip(self.files, bits, strict=True):
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB if bit else fcntl.LOCK_UN)

    def receive(self, width):
        return [int(not self.attempt(self.lock, file)) for file in self.files]

    def lock(self, file):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(file, fcntl.LOCK_UN)
        return True
