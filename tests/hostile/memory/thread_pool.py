"""Thinks in a pool of threads.

Verdict: forbidden
"""

from concurrent.futures import ThreadPoolExecutor

from hostile import Hostile


class ThreadPool(Hostile):
    def attack(self, observation):
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(abs, range(10)))
