"""A hand as one seat may see it. Values are converted when they are first read."""

from collections.abc import Iterator

from firebox.hanabi.actions import Hint
from firebox.hanabi.cards import CARDS, Card, Knowledge, Wire, knowledge_from_wire


class Hand:
    """One seat's cards. ``len(hand)`` and ``hand[i]`` work as on ``hand.cards``."""

    __slots__ = ("_cards", "_knowledge", "_wire", "seat")

    seat: int
    """Whose hand this is."""

    def __init__(self, seat: int, wire: Wire) -> None:
        self.seat = seat
        self._wire = wire
        self._cards: tuple[Card | None, ...] | None = None
        self._knowledge: tuple[Knowledge | None, ...] | None = None

    @property
    def cards(self) -> tuple[Card | None, ...]:
        """The cards; ``None`` for each card of your own hand, and for an empty slot."""
        cards = self._cards
        if cards is None:
            get = CARDS.get
            cards = self._cards = tuple([get(card) for card in self._wire["cards"]])
        return cards

    @property
    def knowledge(self) -> tuple[Knowledge | None, ...]:
        """Knowledge about each card from hints; ``None`` for an empty slot."""
        knowledge = self._knowledge
        if knowledge is None:
            known = [knowledge_from_wire(wire) for wire in self._wire["knowledge"]]
            knowledge = self._knowledge = tuple(known)
        return knowledge

    @property
    def ids(self) -> tuple[int | None, ...]:
        """A fixed number for each card: its position in the order of dealing."""
        return tuple(self._wire["ids"])

    @property
    def positions(self) -> tuple[int, ...]:
        """The positions that hold a card: all of them, unless a slot is empty."""
        return tuple([i for i, card_id in enumerate(self._wire["ids"]) if card_id is not None])

    def touched(self, hint: "Hint") -> tuple[int, ...]:
        """The positions that ``hint`` would touch in this hand. Your own hand gives none."""
        cards = enumerate(self.cards)
        if hint.color is not None:
            return tuple([i for i, card in cards if card and card.color == hint.color])
        return tuple([i for i, card in cards if card and card.rank == hint.rank])

    def __len__(self) -> int:
        return len(self._wire["cards"])

    def __getitem__(self, position: int) -> Card | None:
        return self.cards[position]

    def __iter__(self) -> Iterator[Card | None]:
        return iter(self.cards)

    def __repr__(self) -> str:
        cards = " ".join(str(card) if card else "??" for card in self.cards)
        return f"Hand(seat={self.seat}, cards={cards})"
