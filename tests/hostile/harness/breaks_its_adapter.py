"""Takes the adapter's functions away, so that it cannot answer any more.

Verdict: crash
"""

from hostile import Hostile

import firebox.adapter


class BreaksItsAdapter(Hostile):
    def attack(self, observation):
        vars(firebox.adapter).clear()
