"""Calls the kernel as a 32-bit program would, with machine code of its own.

Verdict: forbidden
"""

import ctypes
import mmap
import os

from hostile import Hostile, call

GETPID_BY_INTERRUPT = bytes.fromhex("b814000000cd80c3")
"""mov eax, 20 (i386's getpid); int 0x80; ret"""


class CompatibilityCalls(Hostile):
    def attack(self, observation):
        if os.uname().machine != "x86_64":
            call("execveat", -1, 0, 0, 0, 0)  # there is no such interrupt: end in the same way
        code = mmap.mmap(
            -1, 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
        )
        code.write(GETPID_BY_INTERRUPT)
        address = ctypes.addressof(ctypes.c_char.from_buffer(code))
        ctypes.CFUNCTYPE(ctypes.c_int)(address)()
