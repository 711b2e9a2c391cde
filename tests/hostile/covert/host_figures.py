"""Reads figures that the whole host shares: memory, load, caches, processors.

Verdict: contained
Bites: yes
"""

import os
import time

from hostile import Hostile, denied, refused


class HostFigures(Hostile):
    def attack(self, observation):
        refused("load", os.getloadavg)
        refused("file system", os.statvfs, "/usr/lib")
        denied("sysinfo", "statfs", "mincore", "cachestat", "preadv2", "getcpu", "syslog")
        refused("a device", os.open, "/dev/zero", os.O_RDONLY)
        refused("another process's clock", time.clock_gettime, (~1 << 3) | 2)
