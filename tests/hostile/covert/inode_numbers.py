"""Counts the pipes that the other seat made, through the kernel's counter of inode numbers.

Verdict: contained
Bites: yes
"""

import os

from hostile import Hostile, refused


class InodeNumbers(Hostile):
    def attack(self, observation):
        refused("make a pipe", lambda: os.fstat(os.pipe()[0]).st_ino)
