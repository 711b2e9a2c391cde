"""Shuts the interpreter down under its adapter.

Verdict: crash
"""

import ctypes

from hostile import Hostile


class EndsTheInterpreter(Hostile):
    def attack(self, observation):
        ctypes.pythonapi.Py_FinalizeEx()
        return ctypes.string_at(0)
