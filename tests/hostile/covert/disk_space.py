"""Counts the free blocks and inodes of every file system that it can name.

Verdict: contained
"""

import os

from hostile import Hostile, denied, refused


class DiskSpace(Hostile):
    def attack(self, observation):
        for path in ("/", "/agent", "/build", "/usr/lib", "/proc", "/dev/shm"):
            refused(f"statfs of {path}", os.statvfs, path)
        descriptor = os.open("/agent", os.O_RDONLY)
        refused("fstatfs", os.fstatvfs, descriptor)
        os.close(descriptor)
        denied("statfs", "sysinfo", "statmount", "listmount")
