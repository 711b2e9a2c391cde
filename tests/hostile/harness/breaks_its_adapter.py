"""Takes the adapter's functions away, so that it cannot answer any more.

Verdict: crash
"""

import firebox.adapter
from hostile import Hostile


class BreaksItsAdapter(Hostile):
    def attack(self, observation):
        vars(firebox.adapter).clear()
