"""Common knowledge of all seats, followed event by event.

Every seat keeps the same ``PublicTable`` (but for the faces of its own cards), so that what one
seat concludes from it, all others conclude too. That is what conventions are built on.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from firebox import Agent, Context
from firebox.hanabi import (
    COLORS,
    Card,
    Dealt,
    Discarded,
    Drawn,
    Event,
    Hinted,
    Played,
    Swapped,
)

from ._knowledge import ALL, BIT, OF_COLOR, OF_RANK, CardTable, Copies


class Holding:
    """One seat's cards, by position."""

    __slots__ = ("born", "faces", "masks", "told")

    def __init__(self, size: int) -> None:
        self.born = list(range(size))
        """Grows with the time at which the card was drawn."""
        self.faces = [0] * size
        """The set of just the card; 0 if we don't see it, or if the slot is empty."""
        self.told = [ALL] * size
        """The cards that hints leave possible; 0 for an empty slot."""
        self.masks = [ALL] * size
        """The cards that hints and conventions leave possible; 0 for an empty slot."""

    def hear(self, bits: int, positions: tuple[int, ...]) -> None:
        """A hint pointed at these positions as the cards in ``bits``."""
        for at in range(len(self.told)):
            this = bits if at in positions else ALL & ~bits
            self.told[at] &= this
            self.masks[at] &= this

    def lose(self, position: int, *, keeps_slot: bool) -> None:
        """A card leaves; in an empty slot all columns are 0."""
        for column in self._columns():
            if keeps_slot:
                column[position] = 0
            else:
                del column[position]

    def gain(self, position: int, face: int, born: int, *, keeps_slot: bool) -> None:
        """A card comes."""
        for column, value in zip(self._columns(), (born, face, ALL, ALL), strict=True):
            if keeps_slot:
                column[position] = value
            else:
                column.insert(position, value)

    def swap(self, first: int, second: int) -> None:
        """Two cards change places."""
        for column in self._columns():
            column[first], column[second] = column[second], column[first]

    def _columns(self) -> tuple[list[int], ...]:
        return self.born, self.faces, self.told, self.masks


class PublicTable:
    """Fireworks, discards, tokens and all hands, after each event."""

    def __init__(self, context: Context) -> None:
        options: Mapping[str, Any] = context.options
        self.players = context.players
        self.seat = context.seat
        self.in_slots = options["draw_position"] == "slot"
        self.empty_hints = bool(options["empty_hints"])
        self.max_tokens: int = options["hint_tokens"]
        self.tokens = self.max_tokens
        self.lives: int | None = options["lives"]
        self.hand_size: int = options["hand_size"]
        self.deck = 50 - self.players * self.hand_size
        self.fireworks = dict.fromkeys(COLORS, 0)
        self.discards: list[Card] = []
        self.table = CardTable(self.fireworks, self.discards)
        self.hands = [Holding(self.hand_size) for _ in range(self.players)]
        self._five_returns = bool(options["five_returns_token"])
        self._misplay_costs_token = options["misplay"] == "token"

    def apply(self, event: Event) -> None:
        """Take an event into account."""
        match event:
            case Dealt(hands):
                for holding, cards in zip(self.hands, hands, strict=True):
                    if cards is not None:
                        holding.faces = [BIT[card] for card in cards]
            case Hinted(_, to, color, rank, positions):
                self.tokens -= 1
                bits = OF_COLOR[color] if color is not None else OF_RANK[rank or 0]
                self.hands[to].hear(bits, positions)
            case Played(seat, position, card, success):
                self.hands[seat].lose(position, keeps_slot=self.in_slots)
                self._play(card, success=success)
            case Discarded(card=None):
                self.tokens = min(self.tokens + 1, self.max_tokens)
            case Discarded(seat, position, Card() as card):
                self.hands[seat].lose(position, keeps_slot=self.in_slots)
                self.tokens = min(self.tokens + 1, self.max_tokens)
                self._bury(card)
            case Drawn(seat, position, drawn):
                self.deck -= 1
                face = BIT[drawn] if drawn is not None else 0
                born = 50 - self.deck
                self.hands[seat].gain(position, face, born, keeps_slot=self.in_slots)
            case Swapped(seat, first, second):
                self.hands[seat].swap(first, second)

    def _play(self, card: Card, *, success: bool) -> None:
        if not success:
            if self._misplay_costs_token:
                self.tokens = max(self.tokens - 1, 0)
            elif self.lives is not None:
                self.lives -= 1
            self._bury(card)
            return
        self.fireworks[card.color] = card.rank
        if card.rank == 5 and self._five_returns:
            self.tokens = min(self.tokens + 1, self.max_tokens)
        self.table = CardTable(self.fireworks, self.discards)

    def _bury(self, card: Card) -> None:
        self.discards.append(card)
        self.table = CardTable(self.fireworks, self.discards)

    def others_after(self, seat: int) -> list[int]:
        """The other seats in the order of their turns."""
        return [(seat + step) % self.players for step in range(1, self.players)]

    def possible(self, seat: int) -> list[int]:
        """Per position of a hand, the cards that everybody must still think possible."""
        left = self.table.left.one
        hand = self.hands[seat]
        # Partners who break the convention can make it contradict itself; hints never lie.
        pairs = zip(hand.masks, hand.told, strict=True)
        return [mask & left or allowed & left for mask, allowed in pairs]

    def hidden(self) -> Copies:
        """Copies that this seat does not see: in the deck or in its own hand."""
        hidden = self.table.left.copy()
        for seat in self.others_after(self.seat):
            for face in self.hands[seat].faces:
                if face:
                    hidden.take(face)
        return hidden

    def knows_playable(self, masks: Sequence[int]) -> bool:
        """Return whether a hand of which this is known certainly holds a card that fits."""
        return any(mask and not mask & ~self.table.playable for mask in masks)


class Follower(Agent):
    """Follows what everybody knows, and looks at its own cards in the light of it."""

    def start(self, context: Context) -> None:
        """Begin to follow."""
        self.seat = context.seat
        self.public = PublicTable(context)

    def on_event(self, event: Event) -> None:
        """Take a hint in, in the state in which it was chosen, and then every event."""
        if isinstance(event, Hinted):
            self.listen(event)
        self.public.apply(event)

    def listen(self, hint: Hinted) -> None:
        """Learn what a hint means."""

    def look(self) -> list[int]:
        """Return the cards that are possible at each own position, by all that this seat sees."""
        self.hidden = self.public.hidden()
        return [mask & self.hidden.one or mask for mask in self.public.possible(self.seat)]

    def chance(self, mask: int, bits: int) -> float:
        """Probability that a card of which ``mask`` is possible is one of ``bits``."""
        return self.hidden.count(mask & bits) / max(self.hidden.count(mask), 1)
