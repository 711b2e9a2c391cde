"""Convention 3: conventions as people play them, in which silence has a meaning too.

It adds to Conventions 1 and 2:

- *Silence*: a player who had a token and did not save the card that the next player would discard
  has seen that it is not the last of its kind.

Strong with partners of its own kind.
"""

from collections.abc import Sequence

from firebox.hanabi import Discarded, Event, Hinted, Played

from .convention_1 import touched
from .convention_2 import Convention2


class Convention(Convention2):
    """Hints say which card to play or to keep; so does it when no hint is given."""

    most_risk = 0.1

    def on_event(self, event: Event) -> None:
        """Interpret the event in the state in which it was chosen, then apply it."""
        if isinstance(event, Played | Discarded):
            self._notice_silence(event.seat)
        super().on_event(event)

    def learn(self, hint: Hinted, meaning: Sequence[int]) -> None:
        """A hint that neither saves the next player's card nor gives them one to play is silence
        about it."""
        kept_busy = hint.to == self.next_to(hint.seat) and self.public.knows_playable(meaning)
        saved = self.saved(hint.seat, hint.to, touched(hint), hint.positions)
        if not kept_busy and saved is None:
            self._notice_silence(hint.seat)
        super().learn(hint, meaning)

    def _notice_silence(self, speaker: int) -> None:
        """With a token at hand, the speaker did not warn the next player."""
        public, seat = self.public, self.next_to(speaker)
        endangered = self.endangered(seat) if public.tokens else None
        if endangered is not None:
            public.hands[seat].masks[endangered] &= ~public.table.critical
