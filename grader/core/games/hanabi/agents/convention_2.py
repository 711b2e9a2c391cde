"""Convention 1 and a second meaning of hints: this card must be kept.

- *Save*: a hint of rank to the next player, touching the card that they would discard, says
  that this card is the last of its kind and still needed, whenever that is possible. It then says
  nothing about what fits.
"""

from collections.abc import Sequence

from firebox.hanabi import Hint

from ._knowledge import CARD, OF_RANK
from .convention_1 import Convention1, Idea, best_of, words


class Convention2(Convention1):
    """Hints say which card to play or to keep."""

    keeping = 2.0
    most_risk = 0.35  # a player who saw a danger would have warned

    def meaning(self, speaker: int, to: int, bits: int, positions: Sequence[int]) -> list[int]:
        """Return the cards that a hint leaves possible of the hand that it is given to."""
        saved = self.saved(speaker, to, bits, positions)
        if saved is None:
            return super().meaning(speaker, to, bits, positions)
        new = words(self.public.possible(to), bits, positions)
        new[saved] &= self.public.table.critical
        return new

    def saved(self, speaker: int, to: int, bits: int, positions: Sequence[int]) -> int | None:
        """The position that a hint saves, ``None`` if it is not that kind of hint."""
        if bits not in OF_RANK.values() or to != self.next_to(speaker):
            return None
        at = self.endangered(to)
        if at is None or at not in positions:
            return None
        possible = self.public.possible(to)[at] & bits & self.public.table.critical
        return at if possible else None

    def endangered(self, seat: int) -> int | None:
        """The position that a seat discards next, if all it can do is to discard something
        unknown."""
        table, masks = self.public.table, self.public.possible(seat)
        if any(not mask & ~table.playable or not mask & ~table.useless for mask in masks if mask):
            return None
        return self.oldest_untouched(seat)

    def next_to(self, seat: int) -> int:
        """Return the next seat in turn order."""
        return (seat + 1) % self.public.players

    def urgent_hint(self, ideas: Sequence[Idea]) -> Hint | None:
        """Keep the next player from discarding a card that is needed: give it, or something else
        to play, a hint."""
        to = self.next_to(self.seat)
        at = self.endangered(to)
        if at is None or not self.public.hands[to].faces[at] & self.public.table.critical:
            return None
        rank = CARD[self.public.hands[to].faces[at]].rank
        ideas = [idea for idea in ideas if idea.hint.to == to]
        busy = best_of([idea for idea in ideas if idea.plays])
        if busy is not None:
            return busy.hint
        return next((idea.hint for idea in ideas if idea.hint.rank == rank), None)
