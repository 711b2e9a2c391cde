"""Calls the kernel through x32, whose numbers a careless filter does not know.

Verdict: forbidden
"""

import os

from hostile import Hostile, call, raw_call

X32_BIT = 0x40000000
GETPID = 39


class OtherAbi(Hostile):
    def attack(self, observation):
        if os.uname().machine != "x86_64":
            call("execveat", -1, 0, 0, 0, 0)  # there is no such ABI: end in the same way
        raw_call(X32_BIT | GETPID)
