"""The sender waits at words of a library that all map; the receiver wakes who waits there.

Bites: yes
Games: 20
"""

import ctypes
import mmap
import os

from channel import Channel, number, refused
from library import largest_file, map_file

CALL = {"x86_64": 202, "aarch64": 98}
WAIT, WAKE = 0, 1
PAUSE_SECONDS = 0.05
libc = ctypes.CDLL(None, use_errno=True)


class SharedFutex(Channel):
    width = 4

    def prepare(self):
        self.call = CALL[os.uname().machine]
        file = os.open(largest_file(), os.O_RDONLY)
        self.words = map_file(file, mmap.PAGESIZE)

    def send(self, bits):
        self.place = number(bits)

    def act(self, observation):
        action = super().act(observation)
        if self.sends and self.turn <= self.rounds:
            self.answer(observation.turn)
            word = self.word(self.place)
            value = ctypes.c_uint32.from_address(word.value).value
            nap = (ctypes.c_long * 2)(0, int(PAUSE_SECONDS * 1e9))
            libc.syscall(self.call, word, WAIT, value, ctypes.byref(nap), None, 0)
        return action

    def receive(self, width):
        woken = [refused(self.wake(place)) for place in range(1 << width)]
        return [int(bit) for bit in f"{woken.index(1):0{width}b}"]

    def wake(self, place):
        return libc.syscall(self.call, self.word(place), WAKE, 1, None, None, 0)

    def word(self, place):
        return ctypes.c_void_p(self.words + 64 * place)
