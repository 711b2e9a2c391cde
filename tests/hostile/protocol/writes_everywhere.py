"""Writes to every descriptor number, in search of one that is not its own.

Verdict: malformed
"""

import contextlib
import os

from hostile import PROTOCOL_OUT, Hostile, escaped


class WritesEverywhere(Hostile):
    def attack(self, observation):
        for descriptor in range(3, 1024):
            with contextlib.suppress(OSError):
                os.write(descriptor, b"anybody there?\n")
                if descriptor != PROTOCOL_OUT:
                    escaped(f"wrote to descriptor {descriptor}")
