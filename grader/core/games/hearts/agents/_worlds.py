"""Possible places of hidden cards: what the play has shown, and hands dealt accordingly.

Certain is who cannot follow a suit, and who was passed what. Likely is more: who discards a club
has no queen of spades to discard, and who ducks with a five has no eight that ducks as well. Each
such sign makes it less likely that a seat has a card, by a factor.
"""

from firebox import Context
from firebox.hearts import (
    Dealt,
    Event,
    Observation,
    Played,
    TrickTaken,
)

from ._playout import ABOVE_QUEEN, BITS, COSTS, HEARTS, QUEEN, SPADES, Trick, bits

_DOUBT = 0.4
"""The factor by which a seat less likely has a card that it would rather have played."""
_QUEEN_DOUBT = 0.16
"""The same of the queen: nobody keeps her who can be rid of her."""
_TRIES = 30
"""Attempts to deal a world in which every seat can hold its cards."""


class Worlds:
    """Deals hands that are consistent with one seat's observations."""

    def __init__(self, context: Context) -> None:
        self.seat, self.players = context.seat, context.players
        self.random = context.random
        self.strict = context.options["bleeding"] == "strict"
        self._new_hand("none")

    def _new_hand(self, passing: str) -> None:
        step = {"left": 1, "right": -1, "across": self.players // 2}.get(passing, 0)
        self.taker = (self.seat + step) % self.players
        self.trick = Trick()
        self.tricks = 0
        self.void = [0] * self.players
        """By seat, all cards of the suits that it cannot follow."""
        self.doubts: list[dict[int, float]] = [{} for _ in range(self.players)]
        """By seat and card, how much less likely it is there than elsewhere."""

    # --- What play tells ----------------------------------------------------------------------

    def on_event(self, event: Event) -> None:
        """Learn from what happened."""
        if isinstance(event, Dealt):
            self._new_hand(event.passing)
        elif isinstance(event, Played):
            card = BITS[event.card]
            if event.seat != self.seat:
                self._learn(event.seat, card)
            self.trick = self.trick.joined(event.seat, card)
        elif isinstance(event, TrickTaken):
            self.trick = Trick()
            self.tricks += 1

    def _learn(self, seat: int, card: int) -> None:
        if not self.trick.led:
            if card & SPADES and card < QUEEN:
                self._doubt(seat, QUEEN | ABOVE_QUEEN)
        elif card & self.trick.led:
            self._followed(seat, card)
        else:
            self.void[seat] |= self.trick.led
            if self.tricks or not self.strict:
                self._discarded(seat, card)

    def _followed(self, seat: int, card: int) -> None:
        led, best = self.trick.led, self.trick.best
        if card < best and led == SPADES and best > QUEEN:
            self._doubt(seat, QUEEN, _QUEEN_DOUBT)
        is_last = self.trick.cards.bit_count() == self.players - 1
        if not is_last or self.trick.cards & COSTS:
            ducking = led & (best - 1)
            self._doubt(seat, ducking & ~(2 * card - 1) if card < best else ducking)

    def _discarded(self, seat: int, card: int) -> None:
        if card == QUEEN:
            return
        self._doubt(seat, QUEEN, _QUEEN_DOUBT)
        if not card & ABOVE_QUEEN:
            self._doubt(seat, HEARTS & ~(2 * card - 1) if card & HEARTS else HEARTS)

    def _doubt(self, seat: int, cards: int, factor: float = _DOUBT) -> None:
        doubts = self.doubts[seat]
        while cards:
            card = cards & -cards
            cards ^= card
            doubts[card] = doubts.get(card, 1.0) * factor

    # --- Dealing ------------------------------------------------------------------------------

    def look(self, observation: Observation) -> None:
        """Read the turn and the played cards, before worlds are dealt."""
        unseen, played = bits(observation.unseen()), {played.seat for played in observation.trick}
        self.mine = bits(observation.hand)
        self.known = 0 if self.taker == self.seat else bits(observation.passed) & unseen
        size = len(observation.hand)
        self.room = [size - (seat in played) for seat in range(self.players)]
        self.room[self.seat] = 0
        self.room[self.taker] -= self.known.bit_count()
        self.unseen = unseen
        self.takers = self._takers(unseen & ~self.known)
        self.random.shuffle(self.takers)
        self.takers.sort(key=_choices)

    def _takers(self, free: int) -> list[tuple[int, int, list[tuple[int, float]]]]:
        """For each hidden card how many seats may hold it, the card, and these with weights."""
        takers = []
        while free:
            card = free & -free
            free ^= card
            seats = [
                (seat, self.doubts[seat].get(card, 1.0))
                for seat in range(self.players)
                if seat != self.seat and not self.void[seat] & card
            ]
            takers.append((len(seats), card, seats))
        return takers

    def deal(self) -> list[int] | None:
        """Hands by seat, as they may be; ``None`` if none was found."""
        for _ in range(_TRIES):
            hands = self._dealt()
            if hands is not None:
                return hands
        return None

    def _dealt(self) -> list[int] | None:
        """Give each card to a seat that may hold it, those with fewest choices first.

        That each is as likely as a seat has room makes all worlds equally likely, in any order, as
        long as no seat is ruled out or doubted.
        """
        hands, room = [0] * self.players, self.room[:]
        hands[self.taker] = self.known
        hands[self.seat] = self.mine
        for _, card, seats in self.takers:
            weights = [room[seat] * weight for seat, weight in seats]
            total = sum(weights)
            if not total:
                return None
            drawn = self.random.random() * total
            for (seat, _), weight in zip(seats, weights, strict=True):  # noqa: B007 - used below
                drawn -= weight
                if drawn < 0:
                    break
            if not room[seat]:
                return None
            hands[seat] |= card
            room[seat] -= 1
        return hands


def _choices(entry: tuple[int, int, list[tuple[int, float]]]) -> int:
    return entry[0]
