"""Looks for the sockets of whoever runs it.

Verdict: contained
"""

import socket

from hostile import Hostile, refused, unreadable

SOCKETS = (
    "/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock",
    "/run/firebox/socket", "/run/systemd/private", "/run/dbus/system_bus_socket",
)  # fmt: skip


class DockerSocket(Hostile):
    def attack(self, observation):
        unreadable("/run/firebox", "/var/run", *SOCKETS)
        for path in SOCKETS:
            refused(f"connect to {path}", lambda path=path: socket.socket(1).connect(path))
