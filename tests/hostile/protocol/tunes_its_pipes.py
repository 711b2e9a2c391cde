"""Changes its pipes: their size, whom they signal, packets instead of a stream.

Verdict: contained
"""

import fcntl
import os

from hostile import PROTOCOL_IN, PROTOCOL_OUT, Hostile, refused


class TunesItsPipes(Hostile):
    def attack(self, observation):
        for pipe in (PROTOCOL_IN, PROTOCOL_OUT, 2):
            refused("grow a pipe", fcntl.fcntl, pipe, fcntl.F_SETPIPE_SZ, 1 << 20)
            refused("measure a pipe", fcntl.fcntl, pipe, fcntl.F_GETPIPE_SZ)
            refused("choose a signal", fcntl.fcntl, pipe, 10, 9)  # F_SETSIG
            refused("signal others", fcntl.fcntl, pipe, fcntl.F_SETOWN, -1)
        fcntl.fcntl(PROTOCOL_OUT, fcntl.F_SETFL, os.O_DIRECT | os.O_NONBLOCK | os.O_ASYNC)
