"""Defines its move as a coroutine, which nobody awaits.

Verdict: crash
Armed: always
"""

from hostile import Hostile, honest


class Asynchronous(Hostile):
    async def act(self, observation):
        return honest(observation)
