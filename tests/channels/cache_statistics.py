"""The sender has pages of a library dropped from memory; the receiver asks `cachestat` for them."""

import ctypes

from channel import refused
from page_cache_channel import PAGE, PageCacheChannel, libc

CACHESTAT = 451


class CacheStatistics(PageCacheChannel):
    def is_there(self, place):
        asked = (ctypes.c_uint64 * 2)(self.offset(place), PAGE)
        answer = (ctypes.c_uint64 * 5)()
        refused(libc.syscall(CACHESTAT, self.file, ctypes.byref(asked), ctypes.byref(answer), 0))
        return answer[0]
