"""How much memory the host has left, as a channel; it can be asked in several ways."""

from channel import Channel

BLOCK = 48 << 20


class FreeMemoryChannel(Channel):
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
        """Bytes that nobody uses."""
        raise NotImplementedError
