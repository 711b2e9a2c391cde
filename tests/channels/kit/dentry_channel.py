"""Look-ups of names that do not exist, which the kernel remembers, as a channel.

The sender looks a name up for each one; a receiver that is faster to find nothing knows that
somebody has looked for it before. No name serves twice: the receiver's look-up is remembered, too.
"""

import os
import time

from channel import Channel
from public import NONCE

FOLDERS = ("/usr/lib", "/agent", "/")
"""In layers that containers share; on the host's disk; in the root."""
NAMES = 60
"""Look-ups a bit and folder, of which the median counts."""
FASTER = 0.87


class DentryChannel(Channel):
    def send(self, bits):
        for folder in FOLDERS:
            for place, bit in enumerate(bits):
                if bit:
                    self.look_up(folder, self.now(), place)

    def receive(self, width):
        found = [self.found(folder, width) for folder in FOLDERS]
        return [int(any(bits)) for bits in zip(*found, strict=True)]

    def found(self, folder, width):
        """Bits of names that take less time than names that nobody can have looked up."""
        usual = [self.look_up(folder, self.before(), place) for place in ("warm", "x", "y")][1:]
        times = [self.look_up(folder, self.before(), place) for place in range(width)]
        return [each < FASTER * min(usual) for each in times]

    def look_up(self, folder, moment, place):
        """The usual time of a first look-up of a bit's names in this process."""
        names = [f"{folder}/{NONCE}-{moment}-{place}-{k}" for k in range(NAMES)]
        return sorted(map(timed, names))[NAMES // 2]

    def now(self):
        """A prefix of this turn's names, which the receiver knows too."""
        return ""

    def before(self):
        """The same for the names that the sender looked up."""
        return self.now()


def timed(name):
    began = time.perf_counter_ns()
    os.path.lexists(name)
    return time.perf_counter_ns() - began
