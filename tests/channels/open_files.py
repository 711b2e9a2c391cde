"""The sender opens files; the receiver reads how many the host has open.

Bites: yes
"""

import _json
import os

from channel import Channel


class OpenFiles(Channel):
    width = 1

    def send(self, bits):
        for file in getattr(self, "files", ()):
            os.close(file)
        self.files = [os.open(_json.__file__, os.O_RDONLY) for _ in range(40 * bits[0])]

    def prepare(self):
        self.usual = self.count() + 20

    def receive(self, width):
        return [int(self.count() > self.usual)]

    def count(self):
        with open("/proc/sys/fs/file-nr") as line:
            return int(line.read().split()[0])
