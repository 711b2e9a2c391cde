"""The sender takes memory; the receiver asks how much the host has left.

Games: 30
"""

import ctypes

from channel import Channel

BLOCK = 48 << 20


class FreeMemory(Channel):
    width = 1

    def send(self, bits):
        self.block = None
        if bits[0]:
            self.block = bytearray(BLOCK)
            for position in range(0, BLOCK, 4096):
                self.block[position] = 1

    def prepare(self):
        self.usual = self.free() - BLOCK // 2

    def receive(self, width):
        return [int(self.free() < self.usual)]

    def free(self):
        try:
            with open("/proc/meminfo") as lines:
                return int(lines.readlines()[1].split()[1]) << 10
        except OSError:
            words = (ctypes.c_long * 16)()
            if ctypes.CDLL(None, use_errno=True).sysinfo(words) < 0:
                raise OSError("no sysinfo") from None
            return words[5]
