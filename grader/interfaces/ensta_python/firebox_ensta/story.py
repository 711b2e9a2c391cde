"""Events of a game, as far as the seats of this process see them.

All seats receive the same events in the same order, with more or less detail. So an event is
applied when the first seat of this process receives it, and details that another seat sees are
added.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .cards import Held
from .moves import JsonObject


class Story:
    """Hands, deck and discards of one game."""

    def __init__(self, options: JsonObject, deck: list[Held], colors: Mapping[str, Any]) -> None:
        players = options["players"]
        self.hands: list[list[Held | None]] = [[] for _ in range(players)]
        """By seat; an empty slot is ``None``, which there is in few rules."""
        self.deck = deck
        self.discards: list[Held] = []
        self.seat = 0
        """Whose turn it is."""
        self.applied = 0
        """Number of events so far, and so of the next one."""
        self.on_move: Callable[[int, JsonObject], None] = lambda *_: None
        """Called for every play, discard and hint before it is applied, with its number; the card
        that is played or discarded can be seen by then."""
        self._told = [0] * players
        self._colors = colors
        self._options = options
        self._drawn: dict[int, Held] = {}

    def follow(self, seat: int, events: Sequence[JsonObject]) -> Iterator[JsonObject]:
        """Apply the events of ``seat``, and yield those that no other seat has received before."""
        for event in events:
            number = self._told[seat]
            self._told[seat] += 1
            is_news = number >= self.applied
            if is_news:
                self._apply(number, event)
                self.applied += 1
            self._see(number, event)
            if is_news:
                yield event

    def own(self) -> list[Held]:
        """The cards of the seat in turn."""
        return [held for held in self.hands[self.seat] if held is not None]

    def _see(self, number: int, event: JsonObject) -> None:
        if event["type"] == "deal":
            for hand, cards in zip(self.hands, event["hands"], strict=True):
                for held, card in zip(hand, cards or (), strict=False):
                    self._reveal(held, card)
        elif event["type"] == "draw" and event["card"] is not None:
            self._reveal(self._drawn[number], event["card"])

    def _reveal(self, held: Held | None, card: str) -> None:
        if held is not None and (held.number is None or held.color is None):
            held.reveal(self._colors[card[0]], int(card[1]))

    def _apply(self, number: int, event: JsonObject) -> None:
        kind = event["type"]
        if kind == "deal":
            size = self._options["hand_size"]
            for hand in self.hands:
                hand[:] = self.deck[:size]
                del self.deck[:size]
        elif kind == "draw":
            self._draw(number, event)
        elif kind == "swap":
            hand, i, j = self.hands[event["seat"]], event["first"], event["second"]
            hand[i], hand[j] = hand[j], hand[i]
        else:
            self._move(number, event)

    def _move(self, number: int, event: JsonObject) -> None:
        self.seat = event["seat"]
        if event["type"] != "hint":
            self._reveal(self.hands[event["seat"]][event["index"]], event["card"])
        self.on_move(number, event)
        if event["type"] != "hint":
            self._part_with(event)
        self.seat = (event["seat"] + 1) % len(self.hands)

    def _part_with(self, event: JsonObject) -> None:
        hand, index = self.hands[event["seat"]], event["index"]
        held = hand[index]
        if self._options["draw_position"] == "slot":
            hand[index] = None
        else:
            del hand[index]
        if held is not None and (event["type"] == "discard" or not event["success"]):
            self.discards.append(held)
            if event["type"] == "discard":  # the course sorts only then
                self.discards.sort(key=Held.face)

    def _draw(self, number: int, event: JsonObject) -> None:
        hand, held = self.hands[event["seat"]], self.deck.pop(0)
        self._drawn[number] = held
        if self._options["draw_position"] == "slot":
            hand[event["index"]] = held
        else:
            hand.append(held)
