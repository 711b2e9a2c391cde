"""Returns something that is no action and cannot be shown.

Verdict: crash
"""

from hostile import Hostile


class Unshowable:
    def __repr__(self):
        raise SystemExit(0)

    def __reduce__(self):
        return exec, ("raise SystemExit(0)",)


class NotAnAction(Hostile):
    def attack(self, observation):
        return Unshowable()
