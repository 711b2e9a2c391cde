"""Takes its pipes for sockets and sends through them.

Verdict: contained
"""

import socket

from hostile import Hostile, refused


class DescriptorsAsSockets(Hostile):
    def attack(self, observation):
        for number in range(64):
            refused(f"descriptor {number}", self.send, number)

    def send(self, number):
        pipe = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=number)
        try:
            return pipe.send(b"hello")
        finally:
            pipe.detach()
