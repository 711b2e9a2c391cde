"""Guarded: careful, and it counts: leads what others must take, and stops whoever collects it all.

It remembers who could not follow which suit and how many higher and lower cards of a suit are still
out. When one other seat has taken every point so far, it keeps high hearts and takes a trick with
points as soon as it can, cheaply.
"""

from firebox import Context
from firebox.hearts import (
    QUEEN_OF_SPADES,
    Card,
    Dealt,
    Event,
    Observation,
    Played,
    TrickTaken,
)

from ._table import (
    QUEEN_RANK,
    higher_out,
    is_last,
    length,
    lower_out,
    lowest,
    of_suit,
    queen_is_out,
    trick_points,
)
from .careful import Careful

_WORRYING_POINTS = 6
"""Taken by one seat alone, so many points may be the beginning of a moon."""


class Guarded(Careful):
    """Plays with what the cards that are gone tell."""

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

    def collector(self, observation: Observation) -> int | None:
        """The other seat that has all points so far, if there are enough to worry."""
        points = observation.points
        total = sum(points)
        if total < _WORRYING_POINTS or total not in points:
            return None
        seat = points.index(total)
        return None if seat == self.seat else seat

    def choose(self, observation: Observation, legal: list[Card]) -> Card:
        if self.collector(observation) is not None and observation.trick:
            return self.stop(observation, legal)
        return super().choose(observation, legal)

    def stop(self, observation: Observation, legal: list[Card]) -> Card:
        """Take a trick with points if that is cheap; give the collector nothing it needs."""
        best, shooter = observation.winning(), self.collector(observation)
        assert best is not None  # noqa: S101 - somebody led
        following = legal[0].suit == best.card.suit
        if following:
            above = [card for card in legal if card.rank > best.card.rank]
            cheap = QUEEN_OF_SPADES not in [each.card for each in observation.trick]
            if above and trick_points(observation) and cheap:
                return max(above, key=lambda card: card.rank) if is_last(observation) else above[-1]
            return super().choose(observation, legal)
        if best.seat == shooter:
            harmless = [card for card in legal if not card.points]
            return self.throw(observation, harmless or legal)
        return self.throw(observation, legal)

    def lead(self, observation: Observation, legal: list[Card]) -> Card:
        """The card that most likely somebody else must take, with points if possible."""
        unseen = observation.unseen()
        counts = length(observation.hand)
        return min(legal, key=lambda card: self.lead_danger(observation, card, unseen, counts))

    def lead_danger(
        self,
        observation: Observation,
        card: Card,
        unseen: tuple[Card, ...],
        counts: dict[str, int],
    ) -> tuple[float, int, str]:
        """About how many points a lead costs; ties by rank, so that high cards are got rid of."""
        suit = card.suit
        others = len(of_suit(unseen, suit))
        takes = 1.0 if not others else _share_that_takes(card, unseen, self.players - 1)
        voids = sum((seat, suit) in self.void for seat in range(self.players) if seat != self.seat)
        cost = 1.5 + 2.0 * voids if suit != "H" else 3.0
        if suit == "S" and queen_is_out(observation):
            cost += 9.0 if card.rank > QUEEN_RANK else -2.0
        if card == QUEEN_OF_SPADES:
            cost += 12.0
        shorten = 0.15 * counts[suit]
        return takes * cost + shorten, -card.rank, suit

    def follow(self, observation: Observation, legal: list[Card]) -> Card:
        """As careful, but with its highest where the trick is lost or safe anyway."""
        best = observation.winning()
        assert best is not None  # noqa: S101 - a suit was led
        below = [card for card in legal if card.rank < best.card.rank]
        if below or is_last(observation):
            return super().follow(observation, legal)
        unseen = observation.unseen()
        plain = [card for card in legal if card != QUEEN_OF_SPADES] or legal
        if not trick_points(observation) and lower_out(lowest(plain), unseen) == 0:
            return lowest(plain)
        return super().follow(observation, plain)


def _share_that_takes(card: Card, unseen: tuple[Card, ...], others: int) -> float:
    """How likely a lead takes its trick, if the cards that are out lie anyhow."""
    higher, lower = higher_out(card, unseen), lower_out(card, unseen)
    if not higher:
        return 1.0
    share = lower / (higher + lower)
    return float(share ** min(others, higher + lower))
