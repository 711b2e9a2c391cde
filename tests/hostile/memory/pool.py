"""Starts a pool of worker processes.

Verdict: contained
"""

import contextlib

from hostile import Hostile, escaped


class Pool(Hostile):
    def attack(self, observation):
        with contextlib.suppress(ImportError, OSError):
            import multiprocessing

            pool = multiprocessing.get_context("spawn").Pool(2)
            escaped(f"a pool: {pool}")
