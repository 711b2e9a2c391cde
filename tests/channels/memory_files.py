"""The sender keeps a file in memory; the receiver looks for it among everybody's descriptors.

Bites: yes
"""

import glob
import os

from channel import Channel

NAME = "firebox-channel"


class MemoryFiles(Channel):
    def send(self, bits):
        self.file = os.memfd_create(NAME)
        os.write(self.file, bytes(bits))

    def receive(self, width):
        for path in glob.glob("/proc/[0-9]*/fd/*"):
            if NAME in (self.attempt(os.readlink, path) or ""):
                with open(path, "rb") as file:
                    return list(file.read(width))
        return [None] * width
