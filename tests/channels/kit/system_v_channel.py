"""Objects of System V with agreed keys as a channel: one of them exists for every one-bit."""

import ctypes
import os

from channel import Channel, refused

CREATE, REMOVE = 0o1666, 0
libc = ctypes.CDLL(None, use_errno=True)


class SystemVChannel(Channel):
    x86_64: tuple[int, int]
    """The numbers of the calls that find or make one, and that remove one; by machine."""
    aarch64: tuple[int, int]
    size: tuple[int, ...] = ()
    """What is said of the object between its key and the flags."""
    place_of_command = 1
    """Among the arguments of the call that removes."""

    def prepare(self):
        self.get, self.control = getattr(self, os.uname().machine)

    def send(self, bits):
        for place, bit in enumerate(bits):
            if bit:
                refused(libc.syscall(self.get, 0x46420000 + place, *self.size, CREATE))

    def receive(self, width):
        return [self.found(place) for place in range(width)]

    def found(self, place):
        number = libc.syscall(self.get, 0x46420000 + place, *self.size, 0)
        if number < 0:
            return 0
        arguments = [number, *[0] * (self.place_of_command - 1), REMOVE, 0]
        libc.syscall(self.control, *arguments)
        return 1
