"""Starts an event loop, which needs sockets or pipes to wake itself.

Verdict: contained
Limits: turn_seconds=5.0 turn_wall_seconds=15.0
"""

import asyncio

from hostile import Hostile, refused


class EventLoop(Hostile):
    def attack(self, observation):
        refused("an event loop", asyncio.new_event_loop)
