"""Meets another seat at a unix socket, by path or by abstract name.

Verdict: contained
Bites: yes
"""

import socket

from hostile import Hostile, refused


class LocalSockets(Hostile):
    def attack(self, observation):
        refused("a socket pair", socket.socketpair)
        for name in ("\0firebox", "/run/firebox/socket", "/tmp/meeting"):
            refused(f"listen at {name!r}", self.open, "bind", name)
            refused(f"connect to {name!r}", self.open, "connect", name)

    def open(self, method, name):
        meeting = socket.socket(socket.AF_UNIX)
        getattr(meeting, method)(name)
        return meeting
