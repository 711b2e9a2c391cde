"""Overwrites or copies the program that it runs in.

Verdict: contained
"""

import sys

from hostile import Hostile, denied, unreadable, unwritable


class OwnExecutable(Hostile):
    def attack(self, observation):
        programs = ("/proc/self/exe", "/proc/1/exe", "/usr/bin/python3", "/usr/bin/python3.11")
        unreadable(*programs)
        unwritable(*programs, sys.executable or "/usr/bin/python3")
        denied("memfd_create", "memfd_secret")
