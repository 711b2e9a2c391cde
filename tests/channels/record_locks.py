"""The sender locks single bytes of a file of the library; the receiver asks who holds them.

Bites: yes
"""

import _json
import fcntl
import os
import struct

from channel import Channel

LOCK = struct.Struct("hhqqi")


class RecordLocks(Channel):
    def prepare(self):
        self.file = os.open(_json.__file__, os.O_RDONLY)

    def send(self, bits):
        for place, bit in enumerate(bits):
            if bit:
                fcntl.fcntl(self.file, fcntl.F_SETLK, LOCK.pack(fcntl.F_RDLCK, 0, place, 1, 0))

    def receive(self, width):
        return [self.held(place) for place in range(width)]

    def held(self, place):
        asked = LOCK.pack(fcntl.F_WRLCK, 0, place, 1, 0)
        return int(LOCK.unpack(fcntl.fcntl(self.file, fcntl.F_GETLK, asked))[0] != fcntl.F_UNLCK)
