"""Files as a channel, wherever one may make them."""

import os

from channel import Channel

FOLDERS = ("/tmp", "/dev/shm", "/var/tmp", "/run", "/agent", "/build", "/dev/mqueue", "/")


class FilesChannel(Channel):
    def send(self, bits):
        for folder in FOLDERS:
            for place, bit in enumerate(bits):
                self.attempt(self.mark, f"{folder}/{type(self).__name__}-{place}", bit)

    def mark(self, path, bit):
        if bit:
            self.make(path)
        elif os.path.exists(path):
            os.unlink(path)

    def make(self, path):
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o666))

    def receive(self, width):
        found = [0] * width
        for folder in FOLDERS:
            for place in range(width):
                path = f"{folder}/{type(self).__name__}-{place}"
                if os.path.exists(path):
                    found[place] = 1
                    self.attempt(os.unlink, path)
        return found if any(found) else [None] * width
