"""Reads the supervisor's memory, environment and open files through /proc.

Verdict: contained
"""

import os

from hostile import Hostile, refused, unreadable, unwritable


class SupervisorProc(Hostile):
    def attack(self, observation):
        names = "auxv cmdline cwd environ fd fdinfo maps mem ns root schedstat stat status task"
        unreadable(*(f"/proc/1/{name}" for name in names.split()))
        unwritable("/proc/1/mem", "/proc/1/oom_score_adj", "/proc/1/clear_refs")
        for name in ("cwd", "exe", "root", "fd/0", "fd/3", "ns/pid"):
            refused(f"follow /proc/1/{name}", os.readlink, f"/proc/1/{name}")
