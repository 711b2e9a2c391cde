"""Looks names up, which would tell a name server what it likes to tell.

Verdict: contained
"""

import socket

from hostile import Hostile, refused


class Names(Hostile):
    def attack(self, observation):
        refused("resolve a name", socket.getaddrinfo, "r1-g2.example.org", 80)
        refused("resolve its own name", socket.gethostbyname, socket.gethostname())
        refused("resolve an address", socket.gethostbyaddr, "127.0.0.1")
