"""Maps a gibibyte, at once and in pieces, anonymous and shared.

Verdict: contained
"""

import mmap

from hostile import Hostile, refused


class HugeMapping(Hostile):
    def attack(self, observation):
        refused("map a gibibyte", mmap.mmap, -1, 1 << 30)
        refused("map it privately", mmap.mmap, -1, 1 << 30, mmap.MAP_PRIVATE)
        refused("map it in pieces", self.map_pieces)

    def map_pieces(self):
        return [mmap.mmap(-1, 1 << 20, mmap.MAP_PRIVATE) for _ in range(1 << 10)]
