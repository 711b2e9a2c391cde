"""Counts what the other seat looked at in /proc, through the kernel's counter of inode numbers.

Verdict: contained
Bites: yes
"""

import os

from hostile import Hostile, refused


class ProcInodes(Hostile):
    def attack(self, observation):
        for name in ("self", "self/fd/2", "self/fdinfo/2", "1", "1/ns"):
            refused(f"number of /proc/{name}", lambda name=name: os.stat(f"/proc/{name}").st_ino)
