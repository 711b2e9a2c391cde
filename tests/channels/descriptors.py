"""The sender writes into descriptors that it did not open; the receiver reads from them."""

import os

from channel import PROTOCOL_OUT, Channel


class Descriptors(Channel):
    def send(self, bits):
        for number in (0, *range(PROTOCOL_OUT + 1, 256)):
            self.attempt(os.write, number, bytes(bits))

    def receive(self, width):
        for number in (0, *range(PROTOCOL_OUT + 1, 256)):
            if self.attempt(os.set_blocking, number, False) is None:
                found = self.attempt(os.read, number, width)
                if found and len(found) == width:
                    return list(found)
        return [None] * width
