"""Guarded: the rules of thumb of people who play well, each of which was measured to be worth it.

It keeps the queen of spades, and cards above her, only where low spades guard them; passes what
would leave it short of a suit; leads what others most likely must take; drives the queen out with
spades below her; takes tricks that cost nothing with its high cards; and stops whoever is about to
take all points, where that is cheap. It counts what is out and remembers who could not follow.
"""

from collections.abc import Sequence

from firebox import Agent, Context
from firebox.hearts import (
    QUEEN_OF_SPADES,
    Action,
    Card,
    Dealt,
    Event,
    Observation,
    Pass,
    Play,
    Played,
    TrickTaken,
)

from ._table import (
    QUEEN_RANK,
    higher_out,
    highest,
    is_last,
    length,
    lower_out,
    lowest,
    of_suit,
    queen_is_out,
    trick_points,
)

_WORRYING_POINTS = 16
"""If one other seat alone has taken this many points, it may shoot the moon. Worrying sooner costs
more than it saves: with 6 of them it has .2 points a hand more at a table of four."""
_CHEAP = 3
"""Points that it takes to stop a moon."""
_GUARDS = 4
"""Spades below the queen with which she, king and ace may be kept."""


class Guarded(Agent):
    """Infers the hidden cards from those that have been played."""

    def start(self, context: Context) -> None:
        self.seat, self.players = context.seat, context.players
        self.void: set[tuple[int, str]] = set()
        self.led: str | None = None

    def on_event(self, event: Event) -> None:
        if isinstance(event, Dealt):
            self.void.clear()
            self.led = None
        elif isinstance(event, Played):
            if self.led is None:
                self.led = event.card.suit
            elif event.card.suit != self.led:
                self.void.add((event.seat, self.led))
        elif isinstance(event, TrickTaken):
            self.led = None

    def act(self, observation: Observation) -> Action:
        if observation.is_passing:
            hand = observation.hand
            return Pass(max(hand, key=lambda card: pass_danger(card, hand)))
        legal = [action.card for action in observation.legal_actions]
        return Play(legal[0] if len(legal) == 1 else self.choose(observation, legal))

    def choose(self, observation: Observation, legal: list[Card]) -> Card:
        """One of several cards that are allowed."""
        suit = observation.suit_led
        if suit is None:
            return self.lead(observation, legal)
        shooter = self.shooter(observation)
        if legal[0].suit == suit:
            stopping = [] if shooter is None else self.stopping(observation, legal, shooter)
            return highest(stopping) if stopping else self.follow(observation, legal)
        best = observation.winning()
        if best is not None and best.seat == shooter:
            legal = [card for card in legal if not card.points] or legal
        return self.discard(observation, legal)

    def shooter(self, observation: Observation) -> int | None:
        """The other seat that has all points so far, if there are enough to worry."""
        points = observation.points
        total = sum(points)
        if total < _WORRYING_POINTS or total not in points:
            return None
        seat = points.index(total)
        return None if seat == self.seat else seat

    def stopping(self, observation: Observation, legal: list[Card], shooter: int) -> list[Card]:
        """Cards that take a few points away from who has all others."""
        best = observation.winning()
        assert best is not None  # noqa: S101 - a suit was led
        if best.seat != shooter or not 0 < trick_points(observation) <= _CHEAP:
            return []
        above = [card for card in legal if card.rank > best.card.rank]
        return [card for card in above if card != QUEEN_OF_SPADES]

    # --- Leading ------------------------------------------------------------------------------

    def lead(self, observation: Observation, legal: list[Card]) -> Card:
        """The card that another player most likely must take, with points if possible."""
        unseen = observation.unseen()
        counts = length(observation.hand)
        return min(legal, key=lambda card: self.lead_danger(observation, card, unseen, counts))

    def lead_danger(
        self, observation: Observation, card: Card, unseen: tuple[Card, ...], counts: dict[str, int]
    ) -> tuple[float, int, str]:
        """About how many points a lead costs; ties by rank, so that high cards are got rid of."""
        suit = card.suit
        voids = sum((seat, suit) in self.void for seat in range(self.players) if seat != self.seat)
        cost = 1.5 + 2.0 * voids if suit != "H" else 3.0
        if suit == "S" and queen_is_out(observation):
            cost += 9.0 if card.rank > QUEEN_RANK else -2.0
        if card == QUEEN_OF_SPADES:
            cost += 12.0
        takes = _share_that_takes(card, unseen, self.players - 1)
        return takes * cost + 0.15 * counts[suit], -card.rank, suit

    # --- Not leading --------------------------------------------------------------------------

    def follow(self, observation: Observation, legal: list[Card]) -> Card:
        """The queen under a higher spade; high where it is free or lost anyway; else below."""
        best = observation.winning()
        assert best is not None  # noqa: S101 - a suit was led
        below = [card for card in legal if card.rank < best.card.rank]
        if QUEEN_OF_SPADES in below:
            return QUEEN_OF_SPADES
        plain = [card for card in legal if card != QUEEN_OF_SPADES] or legal
        if is_last(observation) and not trick_points(observation):
            return highest(plain)
        if below:
            return highest(below)
        if is_last(observation) or observation.tricks_played == 0:
            return highest(plain)
        return lowest(plain)

    def discard(self, observation: Observation, legal: list[Card]) -> Card:
        """The queen; spades above her while she is out; hearts; the highest of a short suit."""
        if QUEEN_OF_SPADES in legal:
            return QUEEN_OF_SPADES
        if queen_is_out(observation):
            spades = [card for card in of_suit(legal, "S") if card.rank > QUEEN_RANK]
            if spades:
                return highest(spades)
        hearts = of_suit(legal, "H")
        if hearts:
            return highest(hearts)
        counts = length(observation.hand)
        return max(legal, key=lambda card: (card.rank - counts[card.suit], card.rank, card.suit))


def pass_danger(card: Card, hand: Sequence[Card]) -> tuple[float, int]:
    """Rate a card for passing: high spades without company, high hearts, short suits."""
    suit = of_suit(hand, card.suit)
    if card.suit == "S":
        guards = sum(held.rank < QUEEN_RANK for held in suit)
        if card.rank < QUEEN_RANK or guards >= _GUARDS:
            return 0.0, card.rank
        return (30.0 if card == QUEEN_OF_SPADES else 25.0), card.rank
    low = sum(held.rank <= 5 for held in suit)
    if card.suit == "H":
        return card.rank - 2.5 * low, card.rank
    return card.rank - 3.0 * low + 3.0 * (len(suit) <= 3), card.rank


def _share_that_takes(card: Card, unseen: tuple[Card, ...], others: int) -> float:
    higher, lower = higher_out(card, unseen), lower_out(card, unseen)
    if not higher:
        return 1.0
    share = lower / (higher + lower)
    return float(share ** min(others, higher + lower))
