"""The sender writes into descriptors that it did not open; the receiver reads from them."""

import os

from channel import PROTOCOL_OUT, Channel


class Descriptors(Channel):
    def send(self, bits):
        for number in (0, *range(PROTOCOL_OUT + 1, 256)):
            self.attempt(os.write, number, bytes(bits))

    def receive(self, width):
        for number in (0, *range(PROTOCOL_OUT + 1, 256)):
            found = self.attempt(self.read, number, width)
            if found and len(found) == width:
                return list(found)
        return [None] * width

    def read(self, number, width):
        os.set_blocking(number, False)
        return os.read(number, width)
