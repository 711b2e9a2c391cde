"""Sampling: deals the hidden cards many times, as they may lie, and plays each of its cards in all.

Determinised Monte Carlo search (as in Ginsberg's GIB, 2001): worlds are drawn in which every seat
holds as many cards as it must, none of a suit that it could not follow, and what we passed to it.
In each world every legal card is tried, and everybody goes on by a fast rule of thumb; the card
that costs least on average is played. A moon counts as it does in the game. The number of worlds is
fixed, not the time: a game can be played again exactly.
"""

from collections.abc import Sequence

from firebox import Context
from firebox.hearts import ALL_CARDS, Action, Card, Dealt, Event, Observation, Pass, Play

from ._table import to_pass
from .guarded import Guarded

_PLAYOUTS = 240
"""Cards played out in a decision, over all cards that can be chosen."""
_MOST_WORLDS = 40
_TRIES = 30
"""Attempts to deal a world in which everybody can hold what they get."""

_SUIT = [card.suit for card in ALL_CARDS]
_NUMBER = {card: number for number, card in enumerate(ALL_CARDS)}
_RANK = [card.rank for card in ALL_CARDS]
_COST = [card.points for card in ALL_CARDS]
_QUEEN = next(number for number, card in enumerate(ALL_CARDS) if card.points > 1)
_ALL = 26


class Sampling(Guarded):
    """Tries its cards in worlds that agree with what it knows."""

    def start(self, context: Context) -> None:
        super().start(context)
        self.random = context.random
        self.moon_is_minus = context.options["moon"] == "self"
        self.breaks = [
            card.suit == "H" or (bool(card.points) and bool(context.options["queen_breaks"]))
            for card in ALL_CARDS
        ]
        self.given: tuple[int, tuple[Card, ...]] = (self.seat, ())

    def on_event(self, event: Event) -> None:
        super().on_event(event)
        if isinstance(event, Dealt):
            step = {"left": 1, "right": -1, "across": self.players // 2}.get(event.passing, 0)
            self.given = ((self.seat + step) % self.players, ())

    def act(self, observation: Observation) -> Action:
        if observation.is_passing:
            return Pass(to_pass(observation))
        legal = [action.card for action in observation.legal_actions]
        if len(legal) == 1:
            return Play(legal[0])
        return Play(self.search(observation, legal))

    def search(self, observation: Observation, legal: list[Card]) -> Card:
        """The card that costs least on average over the sampled worlds."""
        count = max(4, min(_MOST_WORLDS, _PLAYOUTS // len(legal)))
        total = dict.fromkeys(legal, 0.0)
        for _ in range(count):
            hands = self.world(observation)
            if hands is None:
                return self.choose(observation, legal)
            for card in legal:
                total[card] += self.play_out(observation, hands, _NUMBER[card])
        return min(legal, key=lambda card: (total[card], -card.rank, card.suit))

    def world(self, observation: Observation) -> list[list[int]] | None:
        """Hands of card numbers by seat, as they may be; ``None`` if none was found."""
        sizes = self.sizes(observation)
        unseen = [_NUMBER[card] for card in observation.unseen()]
        taker = self.given[0]
        known = [_NUMBER[card] for card in observation.passed if _NUMBER[card] in unseen]
        known = [] if taker == self.seat else known
        free = [number for number in unseen if number not in known]
        for _ in range(_TRIES):
            self.random.shuffle(free)
            hands = self.dealt(free, sizes, {taker: known} if known else {})
            if hands is not None:
                hands[self.seat] = [_NUMBER[card] for card in observation.hand]
                return hands
        return None

    def sizes(self, observation: Observation) -> list[int]:
        """How many cards each seat holds."""
        mine = len(observation.hand)
        played = {each.seat for each in observation.trick}
        return [mine - (seat in played) for seat in range(self.players)]

    def dealt(
        self, free: Sequence[int], sizes: Sequence[int], known: dict[int, list[int]]
    ) -> list[list[int]] | None:
        """Give each card to a seat that may hold it, those with fewest choices first."""
        hands = [list(known.get(seat, ())) for seat in range(self.players)]
        room = [size - len(hand) for size, hand in zip(sizes, hands, strict=True)]
        room[self.seat] = 0
        others = [seat for seat in range(self.players) if seat != self.seat]
        allowed = {
            suit: [seat for seat in others if (seat, suit) not in self.void] for suit in "CDSH"
        }
        for number in sorted(free, key=lambda number: len(allowed[_SUIT[number]])):
            seats = [seat for seat in allowed[_SUIT[number]] if room[seat] > 0]
            if not seats:
                return None
            seat = self.random.choices(seats, [room[each] for each in seats])[0]
            hands[seat].append(number)
            room[seat] -= 1
        return hands

    def play_out(self, observation: Observation, hands: list[list[int]], card: int) -> float:
        """What this seat pays in the hand, if it plays ``card`` and all go on by rule of thumb."""
        table = _Playout(
            [list(hand) for hand in hands],
            [(each.seat, _NUMBER[each.card]) for each in observation.trick],
            list(observation.points),
            broken=observation.hearts_broken,
            breaks=self.breaks,
        )
        points = table.finish(self.seat, card)
        if _ALL in points:
            shot = points[self.seat] == _ALL
            if self.moon_is_minus:
                return -_ALL if shot else 0.0
            return 0.0 if shot else float(_ALL)
        return points[self.seat] - sum(points) / (20 * len(points))


class _Playout:
    """A hand played to its end by everybody's rule of thumb: duck, throw what is dear."""

    def __init__(
        self,
        hands: list[list[int]],
        trick: list[tuple[int, int]],
        points: list[int],
        *,
        broken: bool,
        breaks: Sequence[bool],
    ) -> None:
        self.hands, self.trick, self.points = hands, trick, points
        self.broken, self.breaks = broken, breaks

    def finish(self, seat: int, card: int) -> list[int]:
        """Points of the hand by seat, when ``seat`` plays ``card`` now."""
        players = len(self.hands)
        seat = self.play(seat, card)
        while self.hands[seat]:
            seat = self.play(seat, self.thumb(seat, players))
        return self.points

    def play(self, seat: int, card: int) -> int:
        """Play a card; whose turn is next."""
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if self.breaks[card]:
            self.broken = True
        if len(self.trick) < len(self.hands):
            return (seat + 1) % len(self.hands)
        suit = _SUIT[self.trick[0][1]]
        winner, best, cost = seat, -1, 0
        for at, played in self.trick:
            cost += _COST[played]
            if _SUIT[played] == suit and _RANK[played] > best:
                winner, best = at, _RANK[played]
        self.points[winner] += cost
        self.trick = []
        return winner

    def thumb(self, seat: int, players: int) -> int:
        """The rule of thumb."""
        hand, trick = self.hands[seat], self.trick
        if not trick:
            choice = hand if self.broken else [card for card in hand if _SUIT[card] != "H"] or hand
            return min(choice, key=_RANK.__getitem__)
        suit = _SUIT[trick[0][1]]
        following = [card for card in hand if _SUIT[card] == suit]
        if not following:
            return max(hand, key=_dearness)
        best = max(_RANK[card] for _, card in trick if _SUIT[card] == suit)
        below = [card for card in following if _RANK[card] < best]
        if below:
            return _QUEEN if _QUEEN in below else max(below, key=_RANK.__getitem__)
        if len(trick) == players - 1:
            plain = [card for card in following if card != _QUEEN] or following
            return max(plain, key=_RANK.__getitem__)
        return min(following, key=_RANK.__getitem__)


def _dearness(card: int) -> tuple[int, int]:
    """What to throw first: the queen, high hearts, high cards."""
    return _COST[card] * 10 if _COST[card] > 1 else _RANK[card] + 5 * _COST[card], _RANK[card]
