"""Connects to the internet, to the host and to the cloud's metadata service.

Verdict: contained
Bites: yes
"""

import socket

from hostile import Hostile, refused

ADDRESSES = ("169.254.169.254", "127.0.0.1", "172.17.0.1", "::1")


class Internet(Hostile):
    def attack(self, observation):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
            refused("an IPv4 socket", socket.socket, socket.AF_INET, kind)
            refused("an IPv6 socket", socket.socket, socket.AF_INET6, kind)
        for address in ADDRESSES:
            refused(f"connect to {address}", socket.create_connection, (address, 80), 0.1)
