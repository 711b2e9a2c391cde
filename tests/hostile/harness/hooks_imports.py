"""Replaces the import machinery and empties the table of modules.

Verdict: contained
"""

import builtins
import sys

from hostile import Hostile


class HooksImports(Hostile):
    def attack(self, observation):
        def nothing(*arguments, **options):
            return None

        builtins.__import__ = nothing
        sys.meta_path.clear()
        sys.path_hooks.clear()
        for name in ("json", "os", "time", "firebox.adapter", "firebox.seat"):
            sys.modules.pop(name, None)
