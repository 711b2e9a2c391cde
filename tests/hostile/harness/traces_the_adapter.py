"""Has every line of the adapter traced, to change what it sends.

Verdict: illegal
"""

import sys

from firebox import adapter
from hostile import Hostile


class TracesTheAdapter(Hostile):
    def attack(self, observation):
        action = self.honest_action = {"type": "play", "card": 99}
        sys.settrace(lambda frame, event, argument: self.trace)
        adapter._encode = lambda _: str(action).replace("'", '"')
        vars(sys._getframe(2).f_locals.get("self", self))["_actions"] = {}

    def trace(self, frame, event, argument):
        return self.trace
