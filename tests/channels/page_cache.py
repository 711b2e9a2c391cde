"""The sender has pages of a library dropped from memory; the receiver looks which are there.

Bites: yes
"""

import _json
import ctypes
import mmap
import os
import time

from channel import Channel

COLD, PAGEOUT, DONT_NEED = 20, 21, 4
CALLS = {"x86_64": (221, 27), "aarch64": (223, 232)}
libc = ctypes.CDLL(None, use_errno=True)


class PageCache(Channel):
    width = 16

    def prepare(self):
        folder = os.path.dirname(_json.__file__)
        sized = ((os.stat(f"{folder}/{name}").st_size, name) for name in os.listdir(folder))
        self.path = f"{folder}/{max(sized)[1]}"
        self.file = os.open(self.path, os.O_RDONLY)
        self.fadvise, self.mincore = CALLS[os.uname().machine]

    def send(self, bits):
        pages = mmap.mmap(self.file, 0, prot=mmap.PROT_READ, flags=mmap.MAP_SHARED)
        for place, bit in enumerate(bits):
            offset = place * 2 * mmap.PAGESIZE
            pages[offset]
            if bit:
                self.attempt(pages.madvise, PAGEOUT, offset, mmap.PAGESIZE)
                libc.syscall(
                    self.fadvise, self.file, ctypes.c_long(offset), ctypes.c_long(4096), DONT_NEED
                )
        pages.close()

    def receive(self, width):
        pages = mmap.mmap(self.file, 0, prot=mmap.PROT_READ, flags=mmap.MAP_SHARED)
        pages.madvise(mmap.MADV_RANDOM)
        times = []
        for place in range(width):
            began = time.perf_counter_ns()
            pages[place * 2 * mmap.PAGESIZE]
            times.append(time.perf_counter_ns() - began)
        usual = sorted(times)[len(times) // 4]
        return [int(took > 4 * usual + 5000) for took in times]
