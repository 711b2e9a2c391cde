"""Leaves hooks that the interpreter would run at its next start.

Verdict: contained
"""

import _json
import os
import sys

from hostile import Hostile, unwritable


class SiteHooks(Hostile):
    def attack(self, observation):
        library = os.path.dirname(_json.__file__)
        for folder in (library, "/usr/lib/python3/dist-packages", "/usr/local/lib", "/adapter"):
            unwritable(
                f"{folder}/sitecustomize.py", f"{folder}/usercustomize.py", f"{folder}/a.pth"
            )
        unwritable(*(f"{folder}/agent.pth" for folder in sys.path if folder))
