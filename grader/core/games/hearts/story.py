"""A play of Hearts for pages: hand by hand, trick by trick. Pure.

It is derived from the events of all seats, so it contains only what some seat saw.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from grader.core.games.base import JsonObject
from grader.core.games.hearts.cards import card_words

_SIGNS: Mapping[str, str] = {"C": "♣", "D": "♦", "S": "♠", "H": "♥"}


@dataclass(frozen=True, slots=True)
class CardShown:
    """A card in signs and in words."""

    sign: str
    """The suit's: ♣ ♦ ♠ ♥."""
    rank: str
    """``2`` to ``10``, ``J Q K A``."""
    words: str
    """``queen of spades``."""
    costs: bool
    """True if taking it costs points."""
    is_red: bool


@dataclass(slots=True)
class SeatStory:
    """One seat's cards in a hand."""

    cards: tuple[CardShown, ...]
    """As dealt, by suit and rank."""
    passed: list[CardShown] = field(default_factory=list)
    to: int | None = None
    """The seat that got these."""
    received: tuple[CardShown, ...] = ()
    giver: int | None = None


@dataclass(slots=True)
class TrickStory:
    """A trick, complete or not."""

    number: int
    """From 1, within its hand."""
    leader: int
    cards: list[CardShown | None]
    """By seat; ``None`` for one that has not played."""
    winner: int | None = None
    points: int = 0


@dataclass(slots=True)
class HandStory:
    """One hand."""

    number: int
    """From 1."""
    passing: str
    seats: list[SeatStory]
    tricks: list[TrickStory] = field(default_factory=list)
    points: tuple[int, ...] | None = None
    """Points of each seat; ``None`` if the hand was not played to its end."""
    totals: tuple[int, ...] | None = None
    moon: int | None = None
    """The seat that took all points."""

    @property
    def is_passed(self) -> bool:
        """True if cards changed hands."""
        return any(seat.passed for seat in self.seats)


def hands_of(events: Sequence[Sequence[JsonObject]]) -> tuple[HandStory, ...]:
    """The hands of a play, from each seat's events."""
    hands: list[HandStory] = []
    for at, event in _merged(events):
        match event["type"]:
            case "deal":
                _deal(hands, at, event)
            case "pass" if event["card"] is not None:
                seat = hands[-1].seats[event["seat"]]
                seat.passed.append(_shown(event["card"]))
                seat.to = event["to"]
            case "receive" if at == event["seat"]:
                taker = hands[-1].seats[at]
                taker.received, taker.giver = _all(event["cards"]), event["from"]
            case "play":
                _play(hands[-1], event["seat"], event["card"], len(events))
            case "trick":
                trick = hands[-1].tricks[-1]
                trick.winner, trick.points = event["winner"], event["points"]
            case "hand":
                hand = hands[-1]
                hand.points, hand.totals = tuple(event["points"]), tuple(event["totals"])
                hand.moon = event["moon"]
    return tuple(hands)


def _merged(events: Sequence[Sequence[JsonObject]]) -> Iterator[tuple[int, JsonObject]]:
    """Merge the seats' logs, which have the same events, with each seat's own details."""
    for same in zip(*events, strict=True):
        private = same[0]["type"] in {"deal", "pass", "receive"}
        yield from enumerate(same) if private else [(0, same[0])]


def _deal(hands: list[HandStory], seat: int, event: JsonObject) -> None:
    if seat == 0:
        hands.append(HandStory(event["hand_number"] + 1, event["passing"], []))
    hands[-1].seats.append(SeatStory(_all(event["cards"])))


def _play(hand: HandStory, seat: int, card: str, seats: int) -> None:
    if not hand.tricks or hand.tricks[-1].winner is not None:
        hand.tricks.append(TrickStory(len(hand.tricks) + 1, seat, [None] * seats))
    hand.tricks[-1].cards[seat] = _shown(card)


def _all(cards: Sequence[str]) -> tuple[CardShown, ...]:
    return tuple(map(_shown, cards))


def _shown(card: str) -> CardShown:
    suit, rank = card[0], card[1]
    return CardShown(
        sign=_SIGNS[suit],
        rank="10" if rank == "T" else rank,
        words=card_words(card).removeprefix("the "),
        costs=suit == "H" or card == "SQ",
        is_red=suit in "DH",
    )
