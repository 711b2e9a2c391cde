"""Changes a move after it was checked, and the observation that it came from.

Verdict: illegal
"""

from firebox.hanabi import Discard
from hostile import Hostile, honest


class ChangesFrozenValues(Hostile):
    def attack(self, observation):
        object.__setattr__(observation, "seat", 1 - observation.seat)
        object.__setattr__(self.context, "seat", 7)
        action = Discard(0)
        object.__setattr__(action, "card", 50)
        return action if honest(observation) else None
