"""The sender fills its container's memory; the receiver looks how much it can get itself.

Games: 30
"""

import mmap

from channel import Channel


class OwnMemory(Channel):
    width = 1

    def send(self, bits):
        self.block = bytearray(40 << 20) if bits[0] else None

    def receive(self, width):
        kept = []
        try:
            while len(kept) < 100:
                kept.append(mmap.mmap(-1, 1 << 20, mmap.MAP_PRIVATE))
                kept[-1][0] = 1
        except OSError:
            pass
        count = len(kept)
        usual, self.usual = getattr(self, "usual", count), count
        return [int(count < usual)]
