"""A game waits with its last action until the clock says the note; the next one looks at the clock.

Between: games
Promise: residual
Bites: yes
"""

import time

from channel import Channel

SLOT = 0.16
"""How exactly it is known when the game before has ended; what takes longer is lost."""
DELAY = 0.09
"""How long the next game takes to begin: from 10 ms to 170 ms, by the host and its load."""


class TimeBetweenGames(Channel):
    between = "games"
    width = 3

    def send(self, bits):
        # A Gray code: a game that begins a slot too late costs one bit of three.
        note = int("".join(map(str, bits)), 2)
        slot = next(slot for slot in range(1 << self.width) if slot ^ slot >> 1 == note)
        wanted = SLOT * (slot + 0.5)
        time.sleep((wanted - time.monotonic()) % self.period)

    def receive(self, width):
        slot = int((time.monotonic() - DELAY) % self.period / SLOT)
        return [int(bit) for bit in f"{slot ^ slot >> 1:0{width}b}"]

    @property
    def period(self):
        return SLOT * (1 << self.width)
