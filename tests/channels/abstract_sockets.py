"""The sender binds abstract names, the receiver tries to bind them too.

Bites: yes
"""

import errno
import socket

from channel import Channel


class AbstractSockets(Channel):
    def send(self, bits):
        self.kept = [bound(place) for place, bit in enumerate(bits) if bit]

    def receive(self, width):
        return [taken(place) for place in range(width)]


def bound(place):
    name = socket.socket(socket.AF_UNIX)
    name.bind(f"\0firebox-channel-{place}")
    return name


def taken(place):
    try:
        bound(place).close()
    except OSError as error:
        return int(error.errno == errno.EADDRINUSE)
    return 0
