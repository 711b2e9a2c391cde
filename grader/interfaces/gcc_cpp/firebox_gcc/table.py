"""The game as the original engine presents it to one of two players, derived from the wire's
events.

What the original does, and this repeats tell by tell: in the deal the players get a card in turns,
and hear of the partner's only. Who discards hears of it after the partner, both before the card has
left the hand and before the hint is back; who plays, after the partner too, but when all that has
happened. Who draws hears nothing; the partner hears of position 5 after a discard and 4 after a
play, or of nothing at all (``NO_OP``), if the deck was empty. Hints are told only to whom they are
given, swaps to the partner.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

COLORS: Final = "RBGYW"
_NO_OP, _SWAP, _PLAY, _DISCARD, _COLOR_HINT, _DRAW, _NUMBER_HINT = 0, 10, 11, 12, 13, 14, 15
_DECK: Final = 50
_DRAWN_AT: Final = {_DISCARD: 5, _PLAY: 4}
"""Positions that a draw is told with."""

Card = tuple[int, int]


class Told(NamedTuple):
    """One call of ``tell``."""

    event: tuple[int, ...]
    """Action, position (or first, or color, or number), second, the card's color and number,
    whether it was legal, whether it was this player's, the number of indices, and these."""
    board: tuple[int, ...]
    hints: int
    fuses: int
    hand: tuple[Card, ...]
    """The partner's."""
    deck: int


class GccTable:
    """One seat's knowledge of a game."""

    def __init__(self, seat: int, options: Mapping[str, Any]) -> None:
        self._seat = seat
        self._most_hints: int = options["hint_tokens"]
        self._returns: bool = options["five_returns_token"]
        self._board = [0] * len(COLORS)
        self._hints = self._most_hints
        self._fuses: int = options["lives"]
        self._hand: list[Card] = []
        self._deck = _DECK
        self._left: int | None = None
        """The partner's move that left it one card short, until its new card is known."""

    def deal(self, event: Mapping[str, Any]) -> list[Told]:
        """The deal, a card each in turns."""
        tells = []
        for position, card in enumerate(map(_card, event["hands"][1 - self._seat])):
            self._hand.append(card)
            self._deck -= 2
            tells.append(self._told(_DRAW, position, card=card))
        return tells

    def follow(self, events: Sequence[Mapping[str, Any]]) -> list[Told]:
        """Return the events since, up to this seat's turn or the end of the game."""
        tells: list[Told] = []
        for event in events:
            kind = event["type"]
            mine = event.get("seat") == self._seat
            if kind == "draw":
                self._deck -= 1
                if not mine:
                    tells.append(self._drawn(_card(event["card"])))
                continue
            tells += self._nothing_drawn()
            if kind == "play":
                tells.append(self._played(event, mine=mine))
            elif kind == "discard":
                tells.append(self._discarded(event, mine=mine))
            elif kind == "hint":
                self._hints -= 1
                if not mine:
                    tells.append(self._hinted(event))
            elif kind == "swap" and not mine:
                tells.append(self._swapped(event["first"], event["second"]))
        return tells + self._nothing_drawn()

    def _played(self, event: Mapping[str, Any], *, mine: bool) -> Told:
        color, number = card = _card(event["card"])
        if event["success"]:
            self._board[color] = number
            if number == len(COLORS) and self._returns:
                self._return_hint()
        else:
            self._fuses -= 1
        if not mine:
            del self._hand[event["index"]]
            self._left = _PLAY
        return self._told(_PLAY, event["index"], card=card, legal=event["success"], mine=mine)

    def _discarded(self, event: Mapping[str, Any], *, mine: bool) -> Told:
        call = self._told(_DISCARD, event["index"], card=_card(event["card"]), mine=mine)
        self._return_hint()
        if not mine:
            del self._hand[event["index"]]
            self._left = _DISCARD
        return call

    def _return_hint(self) -> None:
        self._hints = min(self._hints + 1, self._most_hints)

    def _drawn(self, card: Card) -> Told:
        self._hand.append(card)
        position, self._left = _DRAWN_AT[self._left or _PLAY], None
        return self._told(_DRAW, position, card=card)

    def _nothing_drawn(self) -> list[Told]:
        left, self._left = self._left, None
        return [self._told(_NO_OP)] if left and self._deck == 0 else []

    def _hinted(self, event: Mapping[str, Any]) -> Told:
        indices = event["cards"]
        if "color" in event:
            return self._told(_COLOR_HINT, COLORS.index(event["color"]), indices=indices)
        return self._told(_NUMBER_HINT, event["rank"], indices=indices)

    def _swapped(self, first: int, second: int) -> Told:
        hand = self._hand
        hand[first], hand[second] = hand[second], hand[first]
        return self._told(_SWAP, first, second=second)

    def _told(
        self,
        action: int,
        position: int = 0,
        *,
        second: int = 0,
        card: Card = (0, 0),
        legal: bool = False,
        mine: bool = False,
        indices: Sequence[int] = (),
    ) -> Told:
        return Told(
            event=(action, position, second, *card, legal, mine, len(indices), *indices),
            board=tuple(self._board),
            hints=self._hints,
            fuses=self._fuses,
            hand=tuple(self._hand),
            deck=self._deck,
        )


def _card(text: str) -> Card:
    return COLORS.index(text[0]), int(text[1])
