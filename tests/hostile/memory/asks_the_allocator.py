"""Takes memory from the C library, past the interpreter, until there is none; then plays on.

Verdict: contained
"""

import ctypes

from hostile import Hostile, escaped


class AsksTheAllocator(Hostile):
    def attack(self, observation):
        libc = ctypes.CDLL(None)
        libc.malloc.restype = ctypes.c_void_p
        libc.free.argtypes = [ctypes.c_void_p]
        kept = []
        while len(kept) < 1024 and (block := libc.malloc(1 << 20)):
            kept.append(block)
        for block in kept:
            libc.free(block)
        if len(kept) == 1024:
            escaped("a gigabyte")
