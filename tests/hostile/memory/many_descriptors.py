"""Opens ten thousand descriptors.

Verdict: contained
"""

import os

from hostile import Hostile, refused


class ManyDescriptors(Hostile):
    def attack(self, observation):
        opened = []
        refused("10,000 descriptors", self.open_all, opened)
        for descriptor in opened:
            os.close(descriptor)

    def open_all(self, opened):
        for _ in range(10_000):
            opened.append(os.dup(2))
