"""Asks for higher limits: memory, processes, files, core dumps.

Verdict: contained
"""

import resource

from hostile import Hostile, escaped

LIMITS = (
    resource.RLIMIT_AS, resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE,
    resource.RLIMIT_NOFILE, resource.RLIMIT_MEMLOCK, resource.RLIMIT_SIGPENDING,
)  # fmt: skip


class RaisesItsLimits(Hostile):
    def attack(self, observation):
        for limit in LIMITS:
            try:
                resource.setrlimit(limit, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            except (OSError, ValueError):
                continue
            escaped(f"limit {limit} is off")
