"""The sender keeps a file of a certain size; the receiver asks how much space is left (statfs).

Bites: yes
"""

import os

from channel import Channel, digits, number

FOLDERS = ("/dev/shm", "/tmp", "/")
STEP = 1 << 20


class FileSystemSpace(Channel):
    width = 4
    file = None
    usual = 0

    def prepare(self):
        self.folder = next(folder for folder in FOLDERS if os.path.isdir(folder))
        self.usual = self.free()

    def send(self, bits):
        if self.file is None:
            self.file = os.open(self.folder, os.O_TMPFILE | os.O_RDWR)
        os.ftruncate(self.file, 0)
        if number(bits):
            os.posix_fallocate(self.file, 0, STEP * number(bits))

    def receive(self, width):
        return digits(round((self.usual - self.free()) / STEP), width)

    def free(self):
        figures = os.statvfs(self.folder)
        return figures.f_bfree * figures.f_frsize
