"""Everything a seat may know on its turn. Values are converted when they are first read."""

from firebox.hearts.actions import Action, action_from_wire
from firebox.hearts.cards import ALL_CARDS, CARDS, Card, Wire
from firebox.hearts.events import Event, Played, cards_from_wire, event_from_wire


class Observation:
    """Everything your seat may know when it is your turn."""

    __slots__ = ("_actions", "_events", "_message", "_options", "_wire", "seat")

    seat: int
    """Your seat."""

    def __init__(self, message: Wire, options: Wire) -> None:
        """Wrap the wire's ``turn`` message, in a game with these options."""
        self._message = message
        self._options = options
        self._wire: Wire = message["observation"]
        self.seat = self._wire["seat"]
        self._actions: tuple[Action, ...] | None = None
        self._events: tuple[Event, ...] | None = None

    @property
    def turn(self) -> int:
        """The number of actions before this one, in all hands."""
        return int(self._wire["turn"])

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self._wire["totals"])

    @property
    def hand_number(self) -> int:
        """The number of the hand, from 0."""
        return int(self._wire["hand_number"])

    @property
    def is_passing(self) -> bool:
        """True if a card is to be passed now, and not played."""
        return bool(self._wire["phase"] == "pass")

    @property
    def passing(self) -> str:
        """The direction of passing in this hand: ``left``, ``right``, ``across``, or ``none``."""
        return str(self._wire["passing"])

    @property
    def passed(self) -> tuple[Card, ...]:
        """The cards that you have passed on in this hand, in order."""
        return cards_from_wire(self._wire["passed"])

    @property
    def received(self) -> tuple[Card, ...]:
        """The cards that you were passed in this hand; none before all have passed."""
        return cards_from_wire(self._wire["received"])

    @property
    def hand(self) -> tuple[Card, ...]:
        """Your cards, by suit and rank."""
        return cards_from_wire(self._wire["hand"])

    @property
    def trick(self) -> tuple[Played, ...]:
        """The cards of the trick so far, in order; empty if you lead."""
        return tuple(
            [Played(played["seat"], CARDS[played["card"]]) for played in self._wire["trick"]]
        )

    @property
    def suit_led(self) -> str | None:
        """The suit to follow; ``None`` if you lead."""
        trick = self._wire["trick"]
        return trick[0]["card"][0] if trick else None

    @property
    def tricks_played(self) -> int:
        """The number of complete tricks in this hand."""
        return int(self._wire["tricks_played"])

    @property
    def hearts_broken(self) -> bool:
        """True if a heart may be led."""
        return bool(self._wire["hearts_broken"])

    @property
    def taken(self) -> tuple[tuple[Card, ...], ...]:
        """The cards that each seat has taken in this hand, in order."""
        return tuple([cards_from_wire(cards) for cards in self._wire["taken"]])

    @property
    def points(self) -> tuple[int, ...]:
        """Points of the cards taken so far, by seat."""
        return tuple(self._wire["points"])

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of the hands before this one, by seat."""
        return tuple(self._wire["totals"])

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """Everything you may do now, by suit and rank."""
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

    def unseen(self) -> tuple[Card, ...]:
        """The cards that others still hold: not yours, not in the trick, not taken."""
        seen = {*self._wire["hand"], *(played["card"] for played in self._wire["trick"])}
        seen.update(card for cards in self._wire["taken"] for card in cards)
        if len(self._wire["totals"]) == 3:
            seen.add("D2")
        return tuple([card for card in ALL_CARDS if str(card) not in seen])

    def winning(self) -> Played | None:
        """Return the seat that would take the trick as it lies; ``None`` if you lead."""
        suit = self.suit_led
        following = [played for played in self.trick if played.card.suit == suit]
        return max(following, key=lambda played: played.card.rank, default=None)

    def __repr__(self) -> str:
        hand, trick = (
            " ".join(map(str, self.hand)),
            " ".join(str(played.card) for played in self.trick),
        )
        return (
            f"Observation(turn={self.turn}, seat={self.seat}, hand={hand}, trick={trick}, "
            f"points={self.points}, totals={self.totals})"
        )


def observation_from_wire(message: Wire, options: Wire) -> Observation:
    """The observation in a ``turn`` message, of a game with these options."""
    return Observation(message, options)
