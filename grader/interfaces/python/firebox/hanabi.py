"""Hanabi as an agent sees it: typed, immutable observations, actions and events.

Colours are single letters (``R Y G W B``), ranks are numbers from 1 to 5, seats and positions in a
hand count from 0. A hand's positions run from the oldest card to the newest one, unless the option
``draw_position`` is ``"slot"``: then a drawn card takes the place of the one that left.

Reading is lazy: an agent pays only for what it looks at. Cards, knowledge and actions are taken
from tables, so that comparing and hashing them is cheap.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import index as as_integer
from types import MappingProxyType
from typing import Any, Final, TypeAlias

__all__ = [
    "COLORS",
    "COPIES",
    "RANKS",
    "Action",
    "Card",
    "Dealt",
    "Discard",
    "Discarded",
    "Drawn",
    "Event",
    "Hand",
    "Hint",
    "Hinted",
    "Knowledge",
    "Observation",
    "Play",
    "Played",
    "Swap",
    "Swapped",
]

COLORS: Final = "RYGWB"
"""All colours: red, yellow, green, white, blue."""

RANKS: Final = (1, 2, 3, 4, 5)

COPIES: Final[Mapping[int, int]] = MappingProxyType({1: 3, 2: 2, 3: 2, 4: 2, 5: 1})
"""How many cards of each rank every colour has."""

Wire: TypeAlias = Mapping[str, Any]


# --- Cards and what is known of them ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Card:
    """A card's face. ``str(card)`` gives ``R3``, ``Card.parse("R3")`` the card back."""

    color: str
    rank: int

    def __str__(self) -> str:
        return f"{self.color}{self.rank}"

    @staticmethod
    def parse(text: str) -> "Card":
        """The card written as colour letter and rank. Raises ValueError."""
        card = _CARDS.get(text)
        if card is None:
            raise ValueError(f"a card is a letter of {COLORS} and a rank 1 to 5, not {text!r}")
        return card


_CARDS: Final = {f"{color}{rank}": Card(color, rank) for color in COLORS for rank in RANKS}

ALL_CARDS: Final = tuple(_CARDS.values())
"""The 25 different cards."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What the hints so far say about one card: the same for everybody at the table."""

    color: str | None
    """Its colour, if a hint has named it."""
    rank: int | None
    """Its rank, if a hint has named it."""
    colors: str
    """Letters of the colours that hints leave possible, also by *not* touching the card."""
    ranks: tuple[int, ...]
    """The ranks that hints leave possible."""

    @property
    def hinted(self) -> bool:
        """Whether a hint has ever touched this card."""
        return self.color is not None or self.rank is not None

    def allows(self, card: Card) -> bool:
        """Whether the hints leave it possible that this is ``card``."""
        return card.rank in self.ranks and card.color in self.colors

    def cards(self) -> tuple[Card, ...]:
        """All cards that the hints leave possible."""
        return tuple(_CARDS[f"{color}{rank}"] for color in self.colors for rank in self.ranks)


_KNOWLEDGE: dict[tuple[str | None, int | None, str, str], Knowledge] = {}


def _knowledge_from_wire(wire: Wire | None) -> Knowledge | None:
    if wire is None:
        return None
    key = wire["color"], wire["rank"], wire["colors"], wire["ranks"]
    known = _KNOWLEDGE.get(key)
    if known is None:
        color, rank, colors, ranks = key
        known = _KNOWLEDGE[key] = Knowledge(color, rank, colors, tuple(map(int, ranks)))
    return known


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
            get = _CARDS.get
            cards = self._cards = tuple([get(card) for card in self._wire["cards"]])
        return cards

    @property
    def knowledge(self) -> tuple[Knowledge | None, ...]:
        """What hints say about each card; ``None`` for an empty slot."""
        knowledge = self._knowledge
        if knowledge is None:
            known = [_knowledge_from_wire(wire) for wire in self._wire["knowledge"]]
            knowledge = self._knowledge = tuple(known)
        return knowledge

    @property
    def ids(self) -> tuple[int | None, ...]:
        """A number for each card that stays with it: its place in the order of dealing."""
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


# --- Actions ---------------------------------------------------------------------------------


def _position(value: object, what: str) -> int:
    """``value`` as an int. Whether the rules allow it is for the referee to say."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what} is an int, not {value!r} of type {type(value).__name__}")
    return as_integer(value)


@dataclass(frozen=True, slots=True)
class Play:
    """Play the card at this position of your hand."""

    card: int

    def __post_init__(self) -> None:
        if type(self.card) is not int:
            object.__setattr__(self, "card", _position(self.card, "the card to play"))


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard the card at this position of your hand."""

    card: int

    def __post_init__(self) -> None:
        if type(self.card) is not int:
            object.__setattr__(self, "card", _position(self.card, "the card to discard"))


@dataclass(frozen=True, slots=True)
class Hint:
    """Tell the player at seat ``to`` all cards of a colour, or all of a rank: exactly one."""

    to: int
    color: str | None = None
    rank: int | None = None

    def __post_init__(self) -> None:
        if type(self.to) is not int:
            object.__setattr__(self, "to", _position(self.to, "the seat that a hint is given to"))
        if (self.color is None) == (self.rank is None):
            raise TypeError(
                "a hint has either color or rank: Hint(1, color='R') or Hint(1, rank=3)"
            )
        if self.color is not None and not isinstance(self.color, str):
            raise TypeError(f"a hint's color is a letter of {COLORS}, not {self.color!r}")
        if self.rank is not None and type(self.rank) is not int:
            object.__setattr__(self, "rank", _position(self.rank, "a hint's rank"))


@dataclass(frozen=True, slots=True)
class Swap:
    """Exchange two cards of your own hand, where the rules have it. It is then your turn again."""

    first: int
    second: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", _position(self.first, "a position to swap"))
        object.__setattr__(self, "second", _position(self.second, "a position to swap"))


Action: TypeAlias = Play | Discard | Hint | Swap

ACTION_TYPES: Final = (Play, Discard, Hint, Swap)


def action_to_wire(action: Action) -> dict[str, Any]:
    """The action as the wire has it. Raises TypeError for anything that is not an action."""
    match action:
        case Play(card):
            return {"type": "play", "card": card}
        case Discard(card):
            return {"type": "discard", "card": card}
        case Hint(to, color, None):
            return {"type": "hint", "to": to, "color": color}
        case Hint(to, None, rank):
            return {"type": "hint", "to": to, "rank": rank}
        case Swap(first, second):
            return {"type": "swap", "first": first, "second": second}
    raise TypeError(
        f"act() must return Play, Discard, Hint or Swap of firebox.hanabi, "
        f"not {_shortly(action)} of type {type(action).__name__}"
    )


def _shortly(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def action_from_wire(wire: Wire) -> Action:
    """The typed form of an action; the same object each time. Raises ValueError."""
    key = tuple(wire.values())
    action = _ACTIONS.get(key)
    if action is None:
        action = _ACTIONS[key] = _new_action(wire)
    return action


_ACTIONS: dict[tuple[Any, ...], Action] = {}


def _new_action(wire: Wire) -> Action:
    match wire:
        case {"type": "play", "card": card}:
            return Play(card)
        case {"type": "discard", "card": card}:
            return Discard(card)
        case {"type": "hint", "to": to, "color": color}:
            return Hint(to, color=color)
        case {"type": "hint", "to": to, "rank": rank}:
            return Hint(to, rank=rank)
        case {"type": "swap", "first": first, "second": second}:
            return Swap(first, second)
    raise ValueError(f"not an action of Hanabi: {wire!r}")


# --- Events ----------------------------------------------------------------------------------


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
    return Dealt(tuple(hand and tuple(_CARDS[card] for card in hand) for hand in hands))


def _hinted(wire: Wire) -> Hinted:
    get = wire.get
    return Hinted(wire["seat"], wire["to"], get("color"), get("rank"), tuple(wire["cards"]))


def _played(wire: Wire) -> Played:
    return Played(wire["seat"], wire["index"], _CARDS[wire["card"]], wire["success"])


def _discarded(wire: Wire) -> Discarded:
    return Discarded(wire["seat"], wire["index"], _CARDS[wire["card"]])


def _drawn(wire: Wire) -> Drawn:
    return Drawn(wire["seat"], wire["index"], _CARDS.get(wire["card"]))


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


# --- The observation -------------------------------------------------------------------------


class Observation:
    """Everything your seat may know when it is your turn."""

    __slots__ = ("_actions", "_events", "_hands", "_message", "_options", "_seen", "_wire", "seat")

    seat: int
    """Your seat."""

    def __init__(self, message: Wire, options: Wire) -> None:
        """Wrap the wire's ``turn`` message, in a game with these options."""
        self._message = message
        self._options = options
        self._wire: Wire = message["observation"]
        self.seat = self._wire["seat"]
        self._hands: tuple[Hand, ...] | None = None
        self._actions: tuple[Action, ...] | None = None
        self._events: tuple[Event, ...] | None = None
        self._seen: Mapping[Card, int] | None = None

    @property
    def turn(self) -> int:
        """How many actions were taken before this one."""
        return int(self._wire["turn"])

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self._wire["hands"])

    @property
    def hint_tokens(self) -> int:
        """Hints that can still be given."""
        return int(self._wire["hint_tokens"])

    @property
    def max_hint_tokens(self) -> int:
        """Where ``hint_tokens`` started, and never rises above."""
        return int(self._options["hint_tokens"])

    @property
    def lives(self) -> int | None:
        """Misplays left before the game is lost, the losing one included; ``None``: no strikes."""
        lives: int | None = self._wire["lives"]
        return lives

    @property
    def deck(self) -> int:
        """How many cards are left to draw."""
        return int(self._wire["deck"])

    @property
    def turns_left(self) -> int | None:
        """Turns left, this one included, once the last round has begun; ``None`` before."""
        turns: int | None = self._wire["turns_left"]
        return turns

    @property
    def score(self) -> int:
        """Points if the game ended now."""
        return int(self._wire["score"])

    @property
    def fireworks(self) -> Mapping[str, int]:
        """Highest card played of each colour, 0 for none: ``observation.fireworks["R"]``."""
        return MappingProxyType(self._wire["fireworks"])

    @property
    def discards(self) -> tuple[Card, ...]:
        """Discarded and misplayed cards, in order."""
        return tuple([_CARDS[card] for card in self._wire["discards"]])

    @property
    def hands(self) -> tuple[Hand, ...]:
        """All hands, by seat; the cards of your own are ``None``."""
        hands = self._hands
        if hands is None:
            wires = enumerate(self._wire["hands"])
            hands = self._hands = tuple([Hand(seat, wire) for seat, wire in wires])
        return hands

    @property
    def my_hand(self) -> Hand:
        """Your own hand: ``observation.my_hand.knowledge`` is what you have been told."""
        return self.hands[self.seat]

    def others(self) -> tuple[Hand, ...]:
        """The other hands, in the order of their turns: the next player's first."""
        hands = self.hands
        return hands[self.seat + 1 :] + hands[: self.seat]

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """Everything you may do now."""
        actions = self._actions
        if actions is None:
            legal = self._message["legal"]
            actions = self._actions = tuple([action_from_wire(wire) for wire in legal])
        return actions

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened since your last turn, your own last action first."""
        events = self._events
        if events is None:
            wires = self._message["events"]
            events = self._events = tuple([event_from_wire(wire) for wire in wires])
        return events

    # What follows from the above, for convenience.

    def is_playable(self, card: Card) -> bool:
        """Whether ``card`` fits on its firework now."""
        return bool(self._wire["fireworks"][card.color] == card.rank - 1)

    def is_useless(self, card: Card) -> bool:
        """Whether ``card`` can never be played any more: it was, or a card on the way is gone."""
        top = self._wire["fireworks"][card.color]
        if card.rank <= top:
            return True
        gone = self._wire["discards"]
        return any(
            gone.count(f"{card.color}{rank}") == COPIES[rank]
            for rank in range(top + 1, card.rank + 1)
        )

    def is_critical(self, card: Card) -> bool:
        """Whether ``card`` can still be played and is the last copy that is not discarded."""
        copies_gone = self._wire["discards"].count(str(card))
        return bool(copies_gone == COPIES[card.rank] - 1) and not self.is_useless(card)

    def seen_counts(self) -> Mapping[Card, int]:
        """How many copies of each card you can see: discarded, played, in others' hands."""
        seen = self._seen
        if seen is None:
            counts = Counter(self.discards)
            for color, top in self._wire["fireworks"].items():
                counts.update(_CARDS[f"{color}{rank}"] for rank in range(1, top + 1))
            for hand in self.others():
                counts.update(card for card in hand.cards if card is not None)
            seen = self._seen = MappingProxyType(counts)
        return seen

    def candidates(self, position: int) -> tuple[Card, ...]:
        """What your card at ``position`` can be, by its hints and the cards you see."""
        knowledge = self.my_hand.knowledge[position]
        if knowledge is None:
            return ()
        seen = self.seen_counts()
        return tuple([card for card in knowledge.cards() if seen[card] < COPIES[card.rank]])

    def __repr__(self) -> str:
        fireworks = " ".join(f"{color}{top}" for color, top in self.fireworks.items())
        return (
            f"Observation(turn={self.turn}, seat={self.seat}, fireworks={fireworks}, "
            f"hint_tokens={self.hint_tokens}, lives={self.lives}, deck={self.deck}, "
            f"hands={list(self.hands)})"
        )


def observation_from_wire(message: Wire, options: Wire) -> Observation:
    """The observation in a ``turn`` message, of a game with these options."""
    return Observation(message, options)


def example_messages() -> Sequence[dict[str, Any]]:
    """A short made-up game as the wire has it, to warm up code that is about to be forked."""
    knowledge = {"color": None, "rank": None, "colors": COLORS, "ranks": "12345"}
    hands = [
        {"cards": [None] * 2, "ids": [0, 1], "knowledge": [knowledge] * 2},
        {"cards": ["R1", "G3"], "ids": [2, 3], "knowledge": [knowledge] * 2},
    ]
    observation = {
        "turn": 0,
        "seat": 0,
        "to_act": 0,
        "hint_tokens": 8,
        "lives": 3,
        "deck": 46,
        "fireworks": dict.fromkeys(COLORS, 0),
        "discards": [],
        "hands": hands,
        "turns_left": None,
        "score": 0,
    }
    events = [{"type": "deal", "hands": [None, ["R1", "G3"]]}]
    legal = [{"type": "play", "card": 0}, {"type": "hint", "to": 1, "rank": 1}]
    options = {"players": 2, "colors": COLORS, "hint_tokens": 8}
    return (
        {"type": "start", "protocol": 1, "game": "hanabi", "rules_version": 1, "options": options}
        | {"seat": 0, "players": 2, "seed": 1},
        {"type": "turn", "turn": 0, "events": events, "observation": observation, "legal": legal},
        {"type": "end", "events": [], "scores": [0, 0], "ending": "deck_out"},
    )
