"""The sender reads files of the library; the receiver looks when each was last read.

Games: 10
"""

import os

from channel import Channel
from library import library_files


class AccessTimes(Channel):
    width = 8

    def prepare(self):
        """Both find the same files: those that nobody has read yet, so that a read shows."""
        self.files = list(filter(fresh, library_files()))[: self.width]
        self.before = [os.stat(file).st_atime_ns for file in self.files]

    def send(self, bits):
        for file, bit in zip(self.files, bits, strict=True):
            if bit:
                with open(file, "rb") as content:
                    content.read(1)

    def receive(self, width):
        now = [os.stat(file).st_atime_ns for file in self.files]
        return [int(new > old) for new, old in zip(now, self.before, strict=True)]


def fresh(file):
    """Return whether the kernel's usual rule (relatime) notes the next read of a file."""
    stat = os.stat(file)
    return stat.st_atime_ns <= max(stat.st_mtime_ns, stat.st_ctime_ns)
