"""Leaves its own folder by detours: dots, double slashes, links of the system.

Verdict: contained
"""

import os

from hostile import Hostile, refused, unreadable


class PathTricks(Hostile):
    def attack(self, observation):
        unreadable(
            "/agent/../etc/passwd", "/agent/..", "/agent//..//adapter", "/build/../run/firebox"
        )
        unreadable(
            "/proc/self/root/etc/passwd", "/proc/self/cwd", "/proc/1/root", "/dev/fd/../../etc"
        )
        folder = os.open("/agent", os.O_RDONLY | os.O_DIRECTORY)
        refused("above its folder", lambda: os.open("../etc/passwd", os.O_RDONLY, dir_fd=folder))
        refused("another folder by a descriptor", os.fchdir, folder)
