"""Opens a socket of every family and type that there is, vsock, netlink and AF_ALG among them.

Verdict: contained
Bites: yes
"""

import socket

from hostile import Hostile, refused


class EveryFamily(Hostile):
    def attack(self, observation):
        for family in range(1, 64):
            for kind in (1, 2, 3, 4, 5):
                refused(f"family {family}, type {kind}", socket.socket, family, kind, 0)
