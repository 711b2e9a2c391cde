"""Looks for secrets in its environment and in what started it.

Verdict: contained
"""

import os
import sys

from hostile import Hostile, escaped

KNOWN = {"HOME", "HOSTNAME", "LANG", "LC_CTYPE", "PATH", "PYTHONHASHSEED", "PYTHONPATH"}


class Environment(Hostile):
    def attack(self, observation):
        unknown = set(os.environ) - KNOWN
        if unknown:
            escaped(f"variables {unknown}")
        told = " ".join([*os.environ.values(), *sys.argv, *sys.orig_argv])
        for word in ("secret", "redis", "token", "passw", "deal"):
            if word in told.lower():
                escaped(f"{word} in what it was started with")
