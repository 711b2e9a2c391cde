"""Starts a process with clone3, whose arguments no filter can see.

Verdict: forbidden
"""

import ctypes

from hostile import Hostile, call


class RawClone3(Hostile):
    def attack(self, observation):
        arguments = (ctypes.c_uint64 * 11)()
        call("clone3", ctypes.byref(arguments), ctypes.sizeof(arguments))
