"""Brings modules that shadow the library's, and looks for hooks that run before it is confined.

Verdict: contained
"""

import importlib.util
import random
import sys

from hostile import Hostile, escaped


class OwnStandardLibrary(Hostile):
    def attack(self, observation):
        sys.path.insert(0, "/agent")
        sys.modules["random"] = sys.modules["hostile"]
        for hook in ("sitecustomize", "usercustomize"):
            if importlib.util.find_spec(hook) is not None:
                escaped(f"there is a {hook}")
        if not random.__file__.startswith("/usr/lib/"):
            escaped(f"random is {random.__file__}")
