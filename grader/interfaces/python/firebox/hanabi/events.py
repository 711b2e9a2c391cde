"""What can happen, as a seat may see it."""

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
    position: int
    card: Card
    success: bool
    """``False``: it did not fit, and lies with the discards."""


@dataclass(frozen=True, slots=True)
class Discarded:
    """Somebody, perhaps you, discarded a card."""

    seat: int
    position: int
    card: Card


@dataclass(frozen=True, slots=True)
class Hinted:
    """Somebody gave a hint to ``to``; it touched ``positions`` and, by silence, no other card."""

    seat: int
    to: int
    color: str | None
    rank: int | None
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """Somebody drew a card, now at ``position``; ``card`` is ``None`` if it was you."""

    seat: int
    position: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class Swapped:
    """Somebody exchanged two cards of their hand."""

    seat: int
    first: int
    second: int


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
    return Discarded(wire["seat"], wire["index"], CARDS[wire["card"]])


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
