"""Writes machine code into memory and runs it; it is not even an instruction.

Verdict: crash
"""

import ctypes
import mmap
import os

from hostile import Hostile

INVALID = {"x86_64": b"\x0f\x0b", "aarch64": bytes(4)}


class MachineCode(Hostile):
    def attack(self, observation):
        page = mmap.mmap(
            -1, 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
        )
        page.write(INVALID[os.uname().machine])
        start = ctypes.addressof(ctypes.c_char.from_buffer(page))
        ctypes.CFUNCTYPE(None)(start)()
