"""Locks on single bytes of a file of the library as a channel."""

import fcntl
import os
import struct

from channel import Channel
from library import largest_file

LOCK = struct.Struct("hhqqi")


class ByteLockChannel(Channel):
    set_lock = fcntl.F_SETLK
    get_lock = fcntl.F_GETLK

    def prepare(self):
        self.file = os.open(largest_file(), os.O_RDONLY)

    def send(self, bits):
        for place, bit in enumerate(bits):
            if bit:
                fcntl.fcntl(self.file, self.set_lock, LOCK.pack(fcntl.F_RDLCK, 0, place, 1, 0))

    def receive(self, width):
        return [self.held(place) for place in range(width)]

    def held(self, place):
        asked = LOCK.pack(fcntl.F_WRLCK, 0, place, 1, 0)
        return int(LOCK.unpack(fcntl.fcntl(self.file, self.get_lock, asked))[0] != fcntl.F_UNLCK)
