"""A game sets flags of its standard input; the next one reads those of its own.

Between: games
Games: 240
"""

import fcntl
import os

from channel import Channel

FLAGS = (os.O_APPEND, os.O_NONBLOCK)


class DescriptorFlags(Channel):
    between = "games"
    width = len(FLAGS)

    def send(self, bits):
        flags = sum(flag for flag, bit in zip(FLAGS, bits, strict=True) if bit)
        fcntl.fcntl(0, fcntl.F_SETFL, flags)

    def receive(self, width):
        flags = fcntl.fcntl(0, fcntl.F_GETFL)
        return [int(bool(flags & flag)) for flag in FLAGS]
