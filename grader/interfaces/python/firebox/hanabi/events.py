"""Events, as a seat may see them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from firebox.hanabi.cards import CARDS, Card, Wire


@dataclass(frozen=True, slots=True)
class Dealt:
    """The hands were dealt; always the first event."""

    hands: tuple[tuple[Card, ...] | None, ...]
    """Per seat; ``None`` for your own."""


@dataclass(frozen=True, slots=True)
class Played:
    """Somebody, perhaps you, tried to play a card."""

    seat: int
    """The seat that did it."""
    position: int
    """The card's position in that hand, from 0."""
    card: Card
    """The card, now face up for everybody."""
    success: bool
    """``False`` if it did not fit and was discarded."""


@dataclass(frozen=True, slots=True)
class Discarded:
    """Somebody, perhaps you, discarded a card."""

    seat: int
    """The seat that did it."""
    position: int
    """The card's position in that hand, from 0."""
    card: Card | None
    """The card, now face up for everybody; ``None`` if the seat was a card short and discarded the
    one that it lacked, which rules with ``last_round: after_failed_draw`` allow."""


@dataclass(frozen=True, slots=True)
class Hinted:
    """Somebody gave a hint to ``to``; it touched ``positions`` and no other card."""

    seat: int
    """The seat that gave the hint."""
    to: int
    """The seat that received the hint."""
    color: str | None
    """The colour's letter; ``None`` if a rank is named."""
    rank: int | None
    """The rank, 1 to 5; ``None`` if a colour is named."""
    positions: tuple[int, ...]
    """Positions of the touched cards in the hand of ``to``."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Somebody drew a card, now at ``position``; ``card`` is ``None`` if it was you."""

    seat: int
    """The seat that drew."""
    position: int
    """The new card's position in that hand, from 0."""
    card: Card | None
    """The card; ``None`` if you drew it."""


@dataclass(frozen=True, slots=True)
class Swapped:
    """Somebody exchanged two cards of their hand."""

    seat: int
    """The seat that did it."""
    first: int
    """Position of one of the two cards, from 0."""
    second: int
    """Position of the other one."""


Event: TypeAlias = Dealt | Played | Discarded | Hinted | Drawn | Swapped


def _dealt(wire: Wire) -> Dealt:
    hands = wire["hands"]
    return Dealt(tuple(hand and tuple(CARDS[card] for card in hand) for hand in hands))


def _hinted(wire: Wire) -> Hinted:
    get = wire.get
    return Hinted(wire["seat"], wire["to"], get("color"), get("rank"), tuple(wire["cards"]))


def _played(wire: Wire) -> Played:
    return Played(wire["seat"], wire["index"], CARDS[wire["card"]], wire["success"])


def _discarded(wire: Wire) -> Discarded:
    return Discarded(wire["seat"], wire["index"], CARDS.get(wire["card"]))


def _drawn(wire: Wire) -> Drawn:
    return Drawn(wire["seat"], wire["index"], CARDS.get(wire["card"]))


def _swapped(wire: Wire) -> Swapped:
    return Swapped(wire["seat"], wire["first"], wire["second"])


_EVENTS: Final[Mapping[str, Callable[[Wire], Event]]] = {
    "deal": _dealt,
    "play": _played,
    "discard": _discarded,
    "hint": _hinted,
    "draw": _drawn,
    "swap": _swapped,
}


def event_from_wire(wire: Wire) -> Event:
    """The typed form of an event."""
    return _EVENTS[wire["type"]](wire)
