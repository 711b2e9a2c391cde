"""Returns actions that claim to be equal to everything, and so deceives its own adapter alone.

Verdict: illegal
"""

from firebox.hanabi import Discard, Hint
from hostile import Hostile, honest


class AnyDiscard(Discard):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


class AnyHint(Hint):
    __eq__ = AnyDiscard.__eq__
    __hash__ = AnyDiscard.__hash__


class LiesAboutEquality(Hostile):
    def act(self, observation):
        action = honest(observation)
        if not self.armed:
            return action
        if isinstance(action, Discard):
            return AnyDiscard(action.card)
        return AnyHint(action.to, action.color, action.rank)
