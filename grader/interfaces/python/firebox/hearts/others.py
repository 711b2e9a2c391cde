"""Hands that the others may have: for a search that plays on from several of them."""

from random import Random

from firebox import Context
from firebox.hearts.cards import ALL_CARDS, QUEEN_OF_SPADES, Card
from firebox.hearts.events import Dealt, Event, Played, TrickTaken
from firebox.hearts.observation import Observation


class OtherHands:
    """The others' hands, as far as play tells. Create it in ``start``, tell it each event in
    ``on_event``, and draw hands from it in ``act``."""

    def __init__(self, context: Context) -> None:
        self._seat, self._seats = context.seat, range(context.players)
        self._is_strict = context.options["bleeding"] == "strict"
        self._queen_breaks = bool(context.options["queen_breaks"])
        self._begin()

    def _begin(self) -> None:
        self._barred: list[set[Card]] = [set() for _ in self._seats]
        self._trick: list[Card] = []
        self._tricks = 0
        self._broken = False

    def on_event(self, event: Event) -> None:
        """Learn from an event: who does not follow a suit has none of it."""
        if isinstance(event, Dealt):
            self._begin()
        elif isinstance(event, TrickTaken):
            self._trick, self._tricks = [], self._tricks + 1
        elif isinstance(event, Played):
            self._learn(event.card, self._barred[event.seat])
            self._trick.append(event.card)

    def _learn(self, card: Card, barred: set[Card]) -> None:
        is_heart = card.suit == "H"
        led = self._trick[0].suit if self._trick else None
        if led is not None and card.suit != led:
            barred.update(each for each in ALL_CARDS if each.suit == led)
            if not self._tricks and self._is_strict and (is_heart or card == QUEEN_OF_SPADES):
                harmless = (each for each in ALL_CARDS if each.suit != "H")
                barred.update(each for each in harmless if each != QUEEN_OF_SPADES)
        if led is None and self._tricks and not self._broken and is_heart:
            barred.update(each for each in ALL_CARDS if each.suit != "H")
        self._broken |= is_heart or (self._queen_breaks and card == QUEEN_OF_SPADES)

    def resample(self, observation: Observation, random: Random) -> tuple[tuple[Card, ...], ...]:
        """Draw a hand for each seat, your own as it is: hands with which you would have been told
        the same. Before cards are played, the others' hands are those that they were dealt."""
        played = {each.seat for each in observation.trick}
        size = len(observation.hand) + len(observation.passed) * observation.is_passing
        room = [size - (seat in played) for seat in self._seats]
        hands: list[list[Card]] = [[] for _ in self._seats]
        hands[self._seat], room[self._seat] = list(observation.hand), 0
        unseen = list(observation.unseen())
        if observation.is_passing:
            unseen = [card for card in unseen if card not in observation.passed]
        for card, seat in self._known(observation).items():
            if card in unseen:
                unseen.remove(card)
                hands[seat].append(card)
        fixed = [len(hand) for hand in hands]
        random.shuffle(unseen)
        for card in unseen:
            self._place(card, hands, fixed, room, set(), random)
        return tuple(tuple(sorted(hand, key=ALL_CARDS.index)) for hand in hands)

    def _known(self, observation: Observation) -> dict[Card, int]:
        """The places of cards that you passed on."""
        if observation.is_passing or observation.passing == "none":
            return {}
        step = {"left": 1, "right": -1, "across": len(self._seats) // 2}[observation.passing]
        taker = (self._seat + step) % len(self._seats)
        return dict.fromkeys(observation.passed, taker)

    def _place(
        self,
        card: Card,
        hands: list[list[Card]],
        fixed: list[int],
        room: list[int],
        tried: set[int],
        random: Random,
    ) -> bool:
        """Give a card to a seat that may have it, as likely as the seat has room; if none has any,
        move another card to make room."""
        fit = [seat for seat in self._seats if room[seat] and card not in self._barred[seat]]
        free = [seat for seat in fit for _ in range(room[seat] - len(hands[seat]))]
        if free:
            hands[random.choice(free)].append(card)
            return True
        for seat in random.sample(fit, len(fit)):
            if seat in tried:
                continue
            tried.add(seat)
            for at in random.sample(range(fixed[seat], room[seat]), room[seat] - fixed[seat]):
                if self._place(hands[seat][at], hands, fixed, room, tried, random):
                    hands[seat][at] = card
                    return True
        return False
