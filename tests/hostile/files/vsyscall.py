"""Calls the kernel through the page that programs of twenty years ago had for it.

Verdict: crash
"""

import ctypes
import errno
import os

from hostile import Hostile, escaped

GETCPU = 0xFFFFFFFFFF600800


class Vsyscall(Hostile):
    def attack(self, observation):
        if os.uname().machine == "x86_64":
            answer = ctypes.CFUNCTYPE(ctypes.c_long, *[ctypes.c_void_p] * 3)(GETCPU)(
                None, None, None
            )
            if answer != -errno.EPERM:
                escaped(f"getcpu answered {answer}")
        ctypes.string_at(0)  # kernels without the page end it so
