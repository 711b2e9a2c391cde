"""Prints on every turn, to Python's and to C's standard output.

Verdict: contained
"""

import ctypes
import os

from hostile import Hostile, honest


class Prints(Hostile):
    def act(self, observation):
        if self.armed:
            print("thinking", observation, flush=True)
            os.write(1, b'{"type":"action","turn":0,"action":{"type":"play","card":9}}\n')
            ctypes.CDLL(None).puts(b"from C")
        return honest(observation)
