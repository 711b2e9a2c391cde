"""Opens a port and waits for visitors.

Verdict: contained
"""

import socketserver

from hostile import Hostile, refused


class Serves(Hostile):
    def attack(self, observation):
        for port in (0, 80, 8080):
            refused(f"port {port}", socketserver.TCPServer, ("0.0.0.0", port), None)
            refused(f"port {port}", socketserver.UDPServer, ("127.0.0.1", port), None)
