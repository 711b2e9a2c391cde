"""Reads the harness, other submissions and Docker's socket.

Verdict: contained
"""

import inspect

import firebox
from hostile import Hostile, refused, unreadable


class HarnessSources(Hostile):
    def attack(self, observation):
        unreadable("/adapter", "/adapter/firebox/adapter.py", firebox.__file__)
        unreadable("/opt/firebox", "/opt/firebox/sandbox/inside/supervisor.py")
        unreadable("/run/firebox", "/run/firebox/socket", "/var/run/docker.sock")
        unreadable("/run/docker.sock", "/agent/..", "/agent/../etc", "/build/../adapter")
        refused("read firebox's source", inspect.getsource, firebox)
