"""The sender has pages of a library dropped from memory; the receiver times what it reads of them.

Bites: yes
"""

import mmap
import time

from page_cache_channel import PageCacheChannel


class PageCache(PageCacheChannel):
    def receive(self, width):
        pages = mmap.mmap(self.file, 0, mmap.MAP_PRIVATE, mmap.PROT_READ)
        pages.madvise(mmap.MADV_RANDOM)
        times = []
        for place in range(width):
            began = time.perf_counter_ns()
            pages[self.offset(place)]
            times.append(time.perf_counter_ns() - began)
        usual = sorted(times)[len(times) // 4]
        return [int(took > 4 * usual + 5000) for took in times]
