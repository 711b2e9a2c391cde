"""Which pages of a file are in memory, as a channel; there are several ways to see that."""

import ctypes
import mmap
import os

from channel import Channel
from library import largest_file

PAGEOUT, DONT_NEED = 21, 4
FADVISE = {"x86_64": 221, "aarch64": 223}
PAGE = mmap.PAGESIZE
libc = ctypes.CDLL(None, use_errno=True)


class PageCacheChannel(Channel):
    width = 16

    def prepare(self):
        self.file = os.open(largest_file(), os.O_RDONLY)

    def send(self, bits):
        """Have every page read, and those of ones dropped."""
        pages = mmap.mmap(self.file, 0, mmap.MAP_PRIVATE, mmap.PROT_READ)
        for place, bit in enumerate(bits):
            pages[self.offset(place)]
            if bit:
                self.attempt(pages.madvise, PAGEOUT, self.offset(place), PAGE)
                self.drop(place)
        pages.close()

    def drop(self, place):
        libc.syscall(
            FADVISE[os.uname().machine],
            self.file,
            ctypes.c_long(self.offset(place)),
            ctypes.c_long(PAGE),
            DONT_NEED,
        )

    def receive(self, width):
        return [int(not self.is_there(place)) for place in range(width)]

    def offset(self, place):
        """Pages far from each other: the kernel reads some ahead."""
        return place * 2 * PAGE

    def is_there(self, place):
        """Return whether a page is in memory, without reading it."""
        raise NotImplementedError
