"""The sender takes memory; the receiver asks `sysinfo` how much the host has left.

Games: 30
"""

import ctypes

from channel import refused
from free_memory_channel import FreeMemoryChannel

libc = ctypes.CDLL(None, use_errno=True)


class SystemInformation(FreeMemoryChannel):
    def free(self):
        words = (ctypes.c_long * 16)()
        refused(libc.sysinfo(words))
        return words[5]
