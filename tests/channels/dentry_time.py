"""The sender looks for files that are not there; the receiver times the same look-ups.

Games: 20
Bites: yes
"""

from dentry_channel import DentryChannel


class DentryTime(DentryChannel):
    width = 4
    lead = 2

    def act(self, observation):
        """Names are told apart by the discards, which both see, once there are enough of them."""
        pairs = len(observation.discards) // 2
        self.pile = "-".join(map(str, observation.discards[: 2 * pairs]))
        return super().act(observation)

    def now(self):
        return self.pile
