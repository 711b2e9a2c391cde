"""Maps single pages until it gets no more, gives them back and plays on.

Verdict: contained
Limits: turn_seconds=5.0 turn_wall_seconds=15.0
"""

import mmap

from hostile import Hostile, escaped


class ManyMappings(Hostile):
    def attack(self, observation):
        kept = []
        try:
            while len(kept) < 200_000:
                kept.append(mmap.mmap(-1, 4096, mmap.MAP_PRIVATE))
        except OSError:
            kept.clear()
            return
        escaped("200,000 mappings")
