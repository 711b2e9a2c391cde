"""The sender binds ports of the loopback interface, the receiver tries to bind them too.

Bites: yes
"""

import errno
import socket

from channel import Channel


class Ports(Channel):
    def send(self, bits):
        self.kept = [bound(place) for place, bit in enumerate(bits) if bit]

    def receive(self, width):
        return [taken(place) for place in range(width)]


def bound(place):
    port = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    port.bind(("127.0.0.1", 47_100 + place))
    return port


def taken(place):
    try:
        bound(place).close()
    except OSError as error:
        return int(error.errno == errno.EADDRINUSE)
    return 0
