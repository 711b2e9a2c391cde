"""Asks the kernel to merge its pages with equal ones of others, or to hurry them in and out.

Verdict: contained
"""

import _json
import mmap

from hostile import Hostile, refused

MERGEABLE, PAGEOUT, COLD, POPULATE_READ, WILLNEED = 12, 21, 20, 22, 3


class MergesPages(Hostile):
    def attack(self, observation):
        own = mmap.mmap(-1, 1 << 16, mmap.MAP_PRIVATE)
        with open(_json.__file__, "rb") as file:
            shared = mmap.mmap(file.fileno(), 0, mmap.MAP_PRIVATE, mmap.PROT_READ)
        refused("merge pages", own.madvise, MERGEABLE)
        for advice in (PAGEOUT, COLD, POPULATE_READ, WILLNEED):
            refused(f"advise {advice} on a page of the library", shared.madvise, advice)
