"""Locks its memory, makes some that nobody can reclaim, and raises limits, its parent's too.

Verdict: contained
"""

import ctypes
import resource

from hostile import Hostile, call, denied, escaped


class LocksMemory(Hostile):
    def attack(self, observation):
        denied("mlock", "mlockall", "memfd_create", "memfd_secret", "migrate_pages")
        limits = ctypes.byref((ctypes.c_uint64 * 2)(1 << 20, 1 << 20))
        for pid in (0, 1):
            for name in (name for name in dir(resource) if name.startswith("RLIMIT_")):
                if call("prlimit64", pid, getattr(resource, name), limits, 0) == 0:
                    escaped(f"changed {name} of process {pid}")
