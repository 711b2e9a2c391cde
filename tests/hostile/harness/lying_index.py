"""Names a card by a number that is another one whenever it is looked at.

Verdict: illegal
"""

from firebox.hanabi import Discard
from hostile import Hostile


class Changing(int):
    looks = 0

    def __index__(self):
        Changing.looks += 1
        return 90 + Changing.looks

    __int__ = __index__


class LyingIndex(Hostile):
    def attack(self, observation):
        return Discard(Changing(0))
