"""Hanabi from a chosen deck, played and questioned in few words."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from grader.core.errors import IllegalAction
from grader.core.games.hanabi import DECK, Hanabi, HanabiState

OPENING = "R1 R2 Y1 Y5 B4 G1 G2 W3 R1 R1 B5 B3"
"""With two players, seat 0: R1 R2 Y1 Y5 B4. Seat 1: G1 G2 W3 R1 R1. Then B5 and B3 are drawn."""


def deck_of(top: str, *, last: str = "") -> list[str]:
    """A deck that begins with the cards ``top`` and ends with ``last``, with the rest between."""
    first, final = top.split(), last.split()
    rest = Counter(DECK)
    rest.subtract([*first, *final])
    assert min(rest.values()) >= 0, "too many copies of a card"
    return [*first, *rest.elements(), *final]


class Table:
    """A play from a chosen deck: ``Table("R1 R1 …", variant="uwa").play("p0 d1 h1R")``."""

    def __init__(self, top: str, *, last: str = "", **options: object) -> None:
        self.game = Hanabi.from_options(options)
        self.state: HanabiState = self.game.start(deck_of(top, last=last))

    def play(self, notations: str) -> "Table":
        for notation in notations.split():
            self.state.apply(self.game.parse(notation))
        return self

    def refusal(self, notation: str) -> str:
        try:
            self.play(notation)
        except IllegalAction as refusal:
            return str(refusal)
        raise AssertionError(f"{notation} was not refused")

    def legal(self, kinds: str = "pdhs") -> str:
        notations = map(self.game.notate, self.state.legal_actions())
        return " ".join(notation for notation in notations if notation[0] in kinds)

    def __getitem__(self, key: str) -> Any:
        """A public field of the observation."""
        return self.state.observe(0)[key]

    def hand(self, seat: int) -> str:
        """The cards of a hand as its neighbour sees them, an empty slot as ``--``."""
        return " ".join(card or "--" for card in self._hand(seat)["cards"])

    def ids(self, seat: int) -> Sequence[int | None]:
        return list(self._hand(seat)["ids"])

    def known(self, seat: int) -> str:
        """Per card the positive hints, and what remains possible: ``R?:R/12345``."""
        return " ".join(
            f"{known['color'] or '?'}{known['rank'] or '?'}:{known['colors']}/{known['ranks']}"
            if known
            else "--"
            for known in self._hand(seat)["knowledge"]
        )

    def _hand(self, seat: int) -> Any:
        return self.state.observe((seat + 1) % self.game.seats)["hands"][seat]

    def last_events(self, seat: int, count: int = 1) -> list[dict[str, Any]]:
        return [dict(event) for event in self.state.events(seat)[-count:]]

    def pass_time(self) -> "Table":
        """One harmless turn: discard the oldest card, or hint when that is illegal."""
        legal = self.legal("dh").split()
        return self.play(legal[0])

    def until_deck_has(self, cards: int) -> "Table":
        while self["deck"] > cards:
            self.pass_time()
        return self
