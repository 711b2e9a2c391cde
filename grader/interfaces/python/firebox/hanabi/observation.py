"""Everything a seat may know on its turn. Values are converted when they are first read."""

from collections import Counter
from collections.abc import Mapping
from random import Random
from types import MappingProxyType

from firebox.hanabi.actions import Action, action_from_wire
from firebox.hanabi.cards import CARDS, COPIES, Card, Wire
from firebox.hanabi.events import Event, event_from_wire
from firebox.hanabi.hand import Hand


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
        """The number of actions before this one."""
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
        """Maximum of ``hint_tokens``, and its value at the start."""
        return int(self._options["hint_tokens"])

    @property
    def lives(self) -> int | None:
        """Misplays left before the game is lost, the losing one included; ``None``: no strikes."""
        lives: int | None = self._wire["lives"]
        return lives

    @property
    def deck(self) -> int:
        """The number of cards left to draw."""
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
        return tuple([CARDS[card] for card in self._wire["discards"]])

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
        """Your own hand: ``observation.my_hand.knowledge`` holds the hints about it."""
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
        """Events since your last turn, your own last action first."""
        events = self._events
        if events is None:
            wires = self._message["events"]
            events = self._events = tuple([event_from_wire(wire) for wire in wires])
        return events

    # What follows from the above, for convenience.

    def is_playable(self, card: Card) -> bool:
        """Return whether ``card`` fits on its firework now."""
        return bool(self._wire["fireworks"][card.color] == card.rank - 1)

    def is_useless(self, card: Card) -> bool:
        """Return whether ``card`` can never be played: it was, or a card below it is gone."""
        top = self._wire["fireworks"][card.color]
        if card.rank <= top:
            return True
        gone = self._wire["discards"]
        return any(
            gone.count(f"{card.color}{rank}") == COPIES[rank]
            for rank in range(top + 1, card.rank + 1)
        )

    def is_critical(self, card: Card) -> bool:
        """Return whether ``card`` can still be played and is the last copy left."""
        copies_gone = self._wire["discards"].count(str(card))
        return bool(copies_gone == COPIES[card.rank] - 1) and not self.is_useless(card)

    def seen_counts(self) -> Mapping[Card, int]:
        """The copies of each card that you can see: discarded, played, in others' hands."""
        seen = self._seen
        if seen is None:
            counts = Counter(self.discards)
            for color, top in self._wire["fireworks"].items():
                counts.update(CARDS[f"{color}{rank}"] for rank in range(1, top + 1))
            for hand in self.others():
                counts.update(card for card in hand.cards if card is not None)
            seen = self._seen = MappingProxyType(counts)
        return seen

    def candidates(self, position: int) -> tuple[Card, ...]:
        """Return the cards that yours at ``position`` can be, by hints and the cards you see."""
        knowledge = self.my_hand.knowledge[position]
        if knowledge is None:
            return ()
        seen = self.seen_counts()
        return tuple([card for card in knowledge.cards() if seen[card] < COPIES[card.rank]])

    def resample(self, random: Random) -> tuple[tuple[Card | None, ...], tuple[Card, ...]]:
        """Draw your hand and the deck as they may be, for a search that plays on from several such
        draws: every arrangement of the cards that you cannot see, and that fits the hints, is
        equally likely."""
        seen = self.seen_counts()
        unseen = Counter({card: COPIES[card.rank] - seen[card] for card in CARDS.values()})
        fitting = {position: self.candidates(position) for position in self.my_hand.positions}
        while True:
            left = unseen.copy()
            hand: list[Card | None] = [None] * len(self.my_hand)
            for position, cards in fitting.items():
                # A draw with fewer cards left than at first would come too often.
                copies = [left[card] for card in cards]
                if random.randrange(sum(unseen[card] for card in cards)) >= sum(copies):
                    break
                card = random.choices(cards, copies)[0]
                hand[position] = card
                left[card] -= 1
            else:
                deck = list(left.elements())
                random.shuffle(deck)
                return tuple(hand), tuple(deck)

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
