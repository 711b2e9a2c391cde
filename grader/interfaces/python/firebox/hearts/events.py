"""Events, as a seat may see them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from firebox.hearts.cards import CARDS, Card, Wire


@dataclass(frozen=True, slots=True)
class Dealt:
    """A hand was dealt; the first event of each hand."""

    hand_number: int
    """The number of the hand, from 0."""
    passing: str
    """The direction of passing: ``left``, ``right``, ``across``, or ``none``."""
    cards: tuple[Card, ...]
    """Yours, by suit and rank."""


@dataclass(frozen=True, slots=True)
class Passed:
    """Somebody, perhaps you, passed a card on."""

    seat: int
    """The seat that did it."""
    to: int
    """The seat that will get it."""
    card: Card | None
    """The card, if it was yours."""


@dataclass(frozen=True, slots=True)
class Received:
    """Somebody, perhaps you, got the cards that were passed."""

    seat: int
    """The seat that got them."""
    giver: int
    """The seat that had passed them."""
    cards: tuple[Card, ...] | None
    """The three cards, if you passed or got them."""


@dataclass(frozen=True, slots=True)
class Played:
    """Somebody, perhaps you, played a card to the trick."""

    seat: int
    """The seat that did it."""
    card: Card
    """The card."""


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """A trick was complete."""

    winner: int
    """The seat that took it, and leads the next."""
    points: int
    """Its cost in points."""


@dataclass(frozen=True, slots=True)
class HandScored:
    """A hand was over."""

    points: tuple[int, ...]
    """Points of each seat, a moon considered."""
    totals: tuple[int, ...]
    """Points of the game so far, by seat."""
    moon: int | None
    """The seat that took all points, if one did."""


Event: TypeAlias = Dealt | Passed | Received | Played | TrickTaken | HandScored


def cards_from_wire(names: Sequence[str]) -> tuple[Card, ...]:
    """Cards by their short names."""
    return tuple([CARDS[name] for name in names])


def _received(wire: Wire) -> Received:
    cards = wire["cards"]
    seen = None if cards is None else cards_from_wire(cards)
    return Received(wire["seat"], wire["from"], seen)


def _scored(wire: Wire) -> HandScored:
    return HandScored(tuple(wire["points"]), tuple(wire["totals"]), wire["moon"])


_EVENTS: Final[Mapping[str, Callable[[Wire], Event]]] = {
    "deal": lambda wire: Dealt(
        wire["hand_number"], wire["passing"], cards_from_wire(wire["cards"])
    ),
    "pass": lambda wire: Passed(wire["seat"], wire["to"], CARDS.get(wire["card"])),
    "receive": _received,
    "play": lambda wire: Played(wire["seat"], CARDS[wire["card"]]),
    "trick": lambda wire: TrickTaken(wire["winner"], wire["points"]),
    "hand": _scored,
}


def event_from_wire(wire: Wire) -> Event:
    """The typed form of an event."""
    return _EVENTS[wire["type"]](wire)
