"""The sender has pages of a library dropped from memory; the receiver asks `mincore` for them.

Bites: yes
"""

import ctypes
import mmap
import os

from channel import refused
from page_cache_channel import PAGE, PageCacheChannel, libc

SHARED, READ = mmap.MAP_SHARED, mmap.PROT_READ
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]


class ResidentPages(PageCacheChannel):
    def prepare(self):
        super().prepare()
        self.pages = libc.mmap(None, os.fstat(self.file).st_size, READ, SHARED, self.file, 0)

    def is_there(self, place):
        answer = ctypes.c_ubyte()
        page = ctypes.c_void_p(self.pages + self.offset(place))
        refused(libc.mincore(page, ctypes.c_size_t(PAGE), ctypes.byref(answer)))
        return answer.value & 1
