"""The sender has pages of a library dropped from memory; the receiver asks `mincore` for them.

Bites: yes
"""

import ctypes
import os

from channel import refused
from library import map_file
from page_cache_channel import PAGE, PageCacheChannel, libc


class ResidentPages(PageCacheChannel):
    def prepare(self):
        super().prepare()
        self.pages = map_file(self.file, os.fstat(self.file).st_size)

    def is_there(self, place):
        answer = ctypes.c_ubyte()
        page = ctypes.c_void_p(self.pages + self.offset(place))
        refused(libc.mincore(page, ctypes.c_size_t(PAGE), ctypes.byref(answer)))
        return answer.value & 1
