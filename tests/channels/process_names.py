"""The sender changes the name of its process; the receiver reads the names of all.

Bites: yes
"""

import ctypes
import os

from channel import BITS, Channel, digits, number

SET_NAME = 15


class ProcessNames(Channel):
    width = 32

    def send(self, bits):
        name = b"fb%08x" % number(bits)
        if ctypes.CDLL(None, use_errno=True).prctl(SET_NAME, name, 0, 0, 0):
            with open("/proc/self/comm", "wb") as own:
                own.write(name)

    def receive(self, width):
        for pid in os.listdir("/proc"):
            if pid.isdigit():
                name = self.attempt(self.name, pid) or ""
                if name.startswith("fb") and len(name) == 10:
                    return digits(int(name[2:], 16), width)
        return [None] * width

    def name(self, pid):
        with open(f"/proc/{pid}/comm") as line:
            return line.read().strip()


assert ProcessNames.width * 2 == BITS
