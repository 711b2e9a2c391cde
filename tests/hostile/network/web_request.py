"""Fetches a page, by name and by number.

Verdict: contained
Limits: turn_seconds=5.0 turn_wall_seconds=15.0
"""

import http.client

from hostile import Hostile, refused


class WebRequest(Hostile):
    def attack(self, observation):
        for host in ("127.0.0.1", "example.org", "169.254.169.254"):
            refused(
                f"GET {host}", http.client.HTTPConnection(host, timeout=0.1).request, "GET", "/"
            )
