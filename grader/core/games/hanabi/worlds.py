"""Other plays of Hanabi that a seat cannot tell from its own.

They follow from the seat's events alone: its own cards fit the hints about them, and these and the
cards of the deck are equally likely in every arrangement that fits.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from grader.core.chance import Chance
from grader.core.games.base import JsonObject
from grader.core.games.hanabi.cards import DECK, at_end, in_slot, swapped
from grader.core.games.hanabi.options import HanabiOptions
from grader.core.games.hanabi.rules import HanabiState

_KINDS: Final = Counter(DECK)


def sampled(
    rules: HanabiOptions, seat: int, events: Sequence[JsonObject], chance: Chance
) -> HanabiState:
    """Draw a play in which ``seat`` was told these events."""
    told = _Told(rules, seat, events)
    unseen = _KINDS - Counter(told.cards.values())
    hidden = _drawn(told.fitting(unseen), unseen, chance)
    rest = chance.shuffled(sorted((unseen - Counter(hidden.values())).elements()))
    known = {**told.cards, **hidden}
    deck = [known[number] if number in known else rest.pop() for number in range(len(DECK))]
    state = HanabiState(rules, deck)
    for event in events:
        if (action := _action(event)) is not None:
            state.apply(action)
    return state


class _Told:
    """The cards that a seat was told, by their number in the deck, and hints about its own."""

    def __init__(self, rules: HanabiOptions, seat: int, events: Sequence[JsonObject]) -> None:
        self._rules, self._seat = rules, seat
        size = rules.hand_size
        self.cards: dict[int, str] = {}
        self._hand: tuple[int | None, ...] = tuple(range(seat * size, (seat + 1) * size))
        self._hints: dict[int, list[tuple[str, bool]]] = {}
        """For each own card the symbols that hints named, and whether they touched it."""
        self._dealt = rules.players * size
        for event in events:
            self._read(event)

    def _read(self, event: JsonObject) -> None:
        kind, mine = event["type"], event.get("seat") == self._seat
        if kind == "deal":
            size = self._rules.hand_size
            for at, hand in enumerate(event["hands"]):
                self.cards.update(enumerate(hand or (), at * size))
        elif kind == "hint" and event["to"] == self._seat:
            symbol = str(event.get("color") or event["rank"])
            for place, number in enumerate(self._hand):
                if number is not None:
                    hint = (symbol, place in event["cards"])
                    self._hints.setdefault(number, []).append(hint)
        elif kind == "draw":
            if mine:
                self._put(event["index"], (self._dealt,))
            else:
                self.cards[self._dealt] = event["card"]
            self._dealt += 1
        elif kind == "swap" and mine:
            self._hand = swapped(self._hand, event["first"], event["second"])
        elif kind in {"play", "discard"} and mine and event["card"] is not None:
            number = self._hand[event["index"]]
            assert number is not None  # noqa: S101 - it had a card there
            self.cards[number] = event["card"]
            empty: tuple[int | None, ...] = (None,) if self._in_slots else ()
            self._hand = self._exchanged(event["index"], empty)

    @property
    def _in_slots(self) -> bool:
        return self._rules.draw_position == "slot"

    def _exchanged(self, index: int, number: tuple[int | None, ...]) -> tuple[int | None, ...]:
        return (in_slot if self._in_slots else at_end)(self._hand, index, number)

    def _put(self, index: int, number: tuple[int]) -> None:
        self._hand = self._exchanged(index, number) if self._in_slots else self._hand + number

    def fitting(self, unseen: Mapping[str, int]) -> dict[int, list[str]]:
        """Return the kinds that each own card may be, by its number."""
        return {
            number: [
                kind
                for kind in sorted(unseen)
                if all((symbol in kind) is hit for symbol, hit in self._hints.get(number, ()))
            ]
            for number in self._hand
            if number is not None
        }


def _drawn(
    fitting: Mapping[int, Sequence[str]], unseen: Mapping[str, int], chance: Chance
) -> dict[int, str]:
    """Draw a kind for each card; every arrangement of the unseen cards that fits is as likely.

    One card after another, among those that are left. A draw with fewer left to choose from than at
    first would come too often, so that it is thrown away as often as that.
    """
    most = {number: sum(unseen[kind] for kind in kinds) for number, kinds in fitting.items()}
    while True:
        left, drawn = Counter(unseen), dict[int, str]()
        for number, kinds in fitting.items():
            copies = [left[kind] for kind in kinds]
            if chance.below(most[number]) >= sum(copies):
                break
            drawn[number] = kinds[chance.weighted(copies)]
            left[drawn[number]] -= 1
        else:
            return drawn


def _action(event: JsonObject) -> JsonObject | None:
    kind = event["type"]
    if kind in {"play", "discard"}:
        return {"type": kind, "card": event["index"]}
    if kind in {"hint", "swap"}:
        return {key: value for key, value in event.items() if key not in {"seat", "cards"}}
    return None
