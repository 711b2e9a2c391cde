"""Asks for shared pages: unmapped, they would fill the container and count for no process of it.

Verdict: contained
"""

import _json
import mmap

from hostile import Hostile, refused


class SharedPages(Hostile):
    def attack(self, observation):
        refused("map shared pages", mmap.mmap, -1, 1 << 22)
        with open(_json.__file__, "rb") as file:
            refused("share a file", mmap.mmap, file.fileno(), 0, mmap.MAP_SHARED, mmap.PROT_READ)
