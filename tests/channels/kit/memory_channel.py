"""Memory that was given back as a channel: what does the next one find in it?"""

import ctypes
import mmap

from channel import Channel

MARK = b"firebox channel "
COPIES = 512
BLOCK = 32 << 20


class MemoryChannel(Channel):
    def send(self, bits):
        line = (MARK + bytes(bits)).ljust(4096, b"x")
        self.kept = [bytearray(line * 16) for _ in range(COPIES)]

    def receive(self, width):
        fresh = mmap.mmap(-1, BLOCK, mmap.MAP_PRIVATE)
        libc = ctypes.CDLL(None)
        libc.malloc.restype = ctypes.c_void_p
        for memory in (fresh, ctypes.string_at(libc.malloc(8 << 20), 8 << 20)):
            place = memory.find(MARK)
            if place >= 0:
                return list(memory[place + len(MARK) : place + len(MARK) + width])
        return [None] * width
