"""Installs a hook that nobody can remove and that objects to everything.

Verdict: contained
"""

import sys

from hostile import Hostile


class AuditHook(Hostile):
    def attack(self, observation):
        def object_to(event, arguments):
            if event != "os._exit":
                raise PermissionError(event)

        sys.addaudithook(object_to)
