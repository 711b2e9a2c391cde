"""Sends an answer without its newline and waits.

Verdict: idle
"""

import time

from hostile import Hostile, send


class NoNewline(Hostile):
    def attack(self, observation):
        send(b'{"type":"action"')
        time.sleep(600)
